import { MAX_ATTEMPTS } from '@postrider/shared/domain/retry-policy';
import type { Account } from '../account/reconcile.js';
import type { CallsMade } from '../api/steady-calls.js';
import { type Bench, isWanted, secondsOf } from '../bench.js';
import type { Environment } from '../environment/environment.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import { distributionOf } from '../measure/quantile.js';
import type { Figure, Row } from '../report/row.js';
import { workspacesOf } from '../world/population.js';
import { deliveriesOf, lagFigure } from './figures.js';
import { answering, healthy } from './groups.js';
import { gapFigure, partOf } from './restart-parts.js';
import { restartWhileCalled } from './restart-steps.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const STEADY = { group: 'steady', endpoints: 100, perSecond: 500 };
/**
 * Fails until it is given up, POSTs that are made again included. With so many endpoints, none fails twenty times in
 * eight minutes: it would be disabled.
 */
const DOOMED = {
  group: 'doomed',
  endpoints: 500,
  perSecond: 2,
  answer: { kind: 'fail', times: 1_000 },
} as const;
/** Is told of what is done through the api. */
const TOLD = { group: 'told', callsPerSecond: 20 };
const STEP_MS = 500;
const AFTERMATH_SECONDS = 10;

export const restart: Scenario = {
  name: 'restart',
  about:
    'An upgrade under load: 2 dispatchers, 2 api processes and the dlq-consumer are replaced one by one as Kubernetes ' +
    'does (the new process is ready before the old one goes; an api migrates first, and gets no new connections for 5 s ' +
    `before its end); then the janitor runs. Meanwhile ${STEADY.perSecond} events a second come for ` +
    `${STEADY.endpoints} endpoints that answer at once, ${DOOMED.perSecond} a second end as dead letters after ` +
    `${MAX_ATTEMPTS} attempts (retry step ${STEP_MS} ms), and ${TOLD.callsPerSecond} calls a second make tokens and send ` +
    'test events through the api: each must have its effect once. The gap is the longest time in which none of the ' +
    `${STEADY.perSecond} a second arrived. Throughput lost: as in \`scale\`, until ${AFTERMATH_SECONDS} s after the restart.`,
  run: async (bench) => {
    const label = `every process replaced at ${STEADY.perSecond} a second`;
    return isWanted(bench, label) ? [await replaceAll(bench, label)] : [];
  },
};

function replaceAll(bench: Bench, label: string): Promise<Row> {
  return withEnvironment(bench, { label, ...SETUP }, async (environment) => {
    for (const name of ['api', 'api', 'dlq-consumer'] as const) await environment.start(name);
    await warmUp(environment, workspacesOf(environment.population, STEADY.group));
    const meter = environment.measure();
    const from = machineNow();
    const [published, { calls, restarts }] = await Promise.all([
      publish(environment),
      restartAll(bench, environment),
    ]);
    const span = { from, to: machineNow() };
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries: published.events + calls.accepted.length,
      processes,
      wrong: calls.refused.map((answer) => `a call to the api was not accepted: ${answer}`),
      figures: ({ records, account }) => [
        gapFigure(deliveriesOf(records, published, [STEADY.group]), span),
        ...accountFigures(account),
        ...callFigures(calls),
        lagFigure(published),
      ],
      parts({ records }) {
        const deliveries = deliveriesOf(records, published, [STEADY.group]);
        return restarts.map((one) => partOf(one, deliveries, STEADY.perSecond));
      },
    };
  });
}

const SETUP = {
  groups: [
    healthy(STEADY.group, STEADY.endpoints),
    {
      name: DOOMED.group,
      count: DOOMED.endpoints,
      place: answering(DOOMED.answer),
    },
    healthy(TOLD.group, 1),
  ],
  promised: [
    { group: STEADY.group, attempts: 1 },
    { group: DOOMED.group, attempts: MAX_ATTEMPTS, end: 'dead_lettered' },
    { group: TOLD.group, attempts: 1 },
  ],
  dispatchers: 2,
  env: { RETRY_STEP: `${STEP_MS}ms`, RATE_LIMIT_REST_WRITE: '0' },
  resends: 'allowed',
} as const;

/** Until it is enough. */
function publish(environment: Environment) {
  const streams = [STEADY, DOOMED].map(({ group, perSecond }) => {
    return { workspaces: workspacesOf(environment.population, group), perSecond };
  });
  return environment.publish({ kind: 'at-rate', streams, seconds: null });
}

async function restartAll(bench: Bench, environment: Environment) {
  const told = environment.population.endpoints.find(({ group }) => group === TOLD.group);
  if (told === undefined) throw new Error('there is nobody to be told');
  const stepped = await restartWhileCalled(environment, {
    aftermathMs: secondsOf(bench, AFTERMATH_SECONDS) * 1_000,
    callsPerSecond: TOLD.callsPerSecond,
    told,
    progress: bench.progress,
  });
  await environment.enough();
  return stepped;
}

function accountFigures({ missing, undelivered, repeatedAttempts, repeatedPosts }: Account): Figure[] {
  const none = { atMost: 0 };
  return [
    { name: 'lost', unit: '', value: missing + undelivered, goal: none },
    { name: 'attempt rows twice', unit: '', value: repeatedAttempts, goal: none },
    { name: 'POSTs made twice', unit: '', value: repeatedPosts },
  ];
}

function callFigures({ accepted, triedAgain, latenciesMs }: CallsMade): Figure[] {
  return [
    { name: 'api calls', unit: '', value: accepted.length },
    { name: 'tried again', unit: '', value: triedAgain },
    { name: 'slowest call', unit: 'ms', value: distributionOf(latenciesMs).greatest },
  ];
}
