import { MAX_ATTEMPTS } from '@postrider/shared/domain/retry-policy';
import type { ServiceProcess } from '#dev/processes/start-service';
import type { Records } from '../account/delivery-records.js';
import type { ApiRequest } from '../api/measure-api.js';
import { startCalls } from '../api/steady-calls.js';
import { storeWorkspace } from '../api/workspace.js';
import type { Environment } from '../environment/environment.js';
import { failing, healthy } from '../environment/population.js';
import { replaceProcess } from '../environment/replace.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { distributionOf } from '../measure/quantile.js';
import { type Context, rateOf, type Scenario, secondsOf } from '../scenario.js';
import { changeFigures, gapFigure, observeChanges, type Steps } from './changes.js';
import { deliveriesOf, lagFigure } from './figures.js';
import { warmUp } from './load.js';

const STEADY = { group: 'steady', perSecond: 500 };
const FAILING = { group: 'failing', perSecond: 2 };
const CALLS_PER_SECOND = 20;
const STEP_MS = 500;
const NONE = { atMost: 0 };
const AFTERMATH_SECONDS = 10;
const GROUPS = [
  healthy(STEADY.group, 100),
  // Always fails, also repeated POSTs. Enough endpoints that none fails twenty times in eight minutes, which would disable it.
  failing(FAILING.group, 500, 1_000, { attempts: MAX_ATTEMPTS, status: 'dead_lettered' }),
  // Receives the effects of the API calls; alone in its workspace.
  healthy('api', 1),
];

export const restart: Scenario = {
  name: 'restart',
  about: `Every process is replaced at ${STEADY.perSecond} events a second, with dead letters and API calls.`,
  run: (context) =>
    measureDeliveries(context, [
      {
        label: `every process replaced at ${STEADY.perSecond} a second`,
        groups: GROUPS,
        dispatchers: 2,
        env: { RETRY_STEP: `${STEP_MS}ms`, RATE_LIMIT_REST_WRITE: '0', TOKENS_PER_WORKSPACE: '100000' },
        resends: 'allowed',
        async run(environment) {
          for (const name of ['api', 'api', 'dlq-consumer'] as const) await environment.start(name);
          await warmUp(environment);
          const { published, span, processes, calls, changes } = await observeRestarts(context, environment);
          await environment.drained();
          const steadyOf = (records: Records) => deliveriesOf(records, published, [STEADY.group]);
          return {
            deliveries: published.events + calls.accepted.length,
            processes,
            problems: calls.refused.map((result) => `an API call was not accepted: ${result}`),
            figures: ({ records, account }) => [
              gapFigure(steadyOf(records), span),
              { name: 'lost', unit: '', value: account.missing + account.unfinished, goal: NONE },
              { name: 'attempt rows twice', unit: '', value: account.repeatedAttempts, goal: NONE },
              { name: 'POSTs made twice', unit: '', value: account.repeatedPosts },
              { name: 'api calls', unit: '', value: calls.accepted.length },
              { name: 'tried again', unit: '', value: calls.retries },
              { name: 'slowest call', unit: 'ms', value: distributionOf(calls.latenciesMs).max },
              lagFigure(published),
            ],
            parts({ records }) {
              const deliveries = steadyOf(records);
              const perSecond = rateOf(context, STEADY.perSecond);
              return changes.map((change) => changeFigures(change, deliveries, perSecond));
            },
          };
        },
      },
    ]),
};

async function observeRestarts(context: Context, environment: Environment) {
  const aftermathMs = secondsOf(context, AFTERMATH_SECONDS) * 1_000;
  const leaving = new Set<ServiceProcess>();
  const apiCalls = await startApiCalls(environment, leaving);
  const plan = { steps: restartSteps(environment, leaving), aftermathMs };
  const [observed] = await Promise.allSettled([observeChanges(environment, [STEADY, FAILING], plan)]);
  const calls = await apiCalls.stop();
  if (observed.status === 'rejected') throw observed.reason;
  environment.expectCalls(calls.accepted.map((call) => ({ ...call, ...apiCalls.target })));
  return { ...observed.value, calls };
}

/** Replaces every process, then runs the janitor. @param leaving receives each API process that gets no new connections */
function restartSteps(environment: Environment, leaving: Set<ServiceProcess>): Steps {
  const { services } = environment;
  const steps = services.map((old, index) => {
    const nth = services.slice(0, index + 1).filter(({ name }) => name === old.name).length;
    const step = () => replaceProcess(environment, old, () => void leaving.add(old));
    return [`${old.name} ${nth}`, step] as const;
  });
  return { ...Object.fromEntries(steps), janitor: () => environment.run('janitor') };
}

async function startApiCalls({ namespace, population, services }: Environment, leaving: Set<ServiceProcess>) {
  const called = population.endpoints.find(({ group }) => group.name === 'api')!;
  const workspace = population.workspaces[called.workspace]!;
  const target = { group: 'api', endpointId: called.endpoint.id };
  const stop = startCalls({
    origins: () =>
      services
        .filter((one) => one.name === 'api' && !leaving.has(one))
        .map(({ port }) => `http://127.0.0.1:${port}`),
    token: await storeWorkspace(namespace, workspace),
    perSecond: CALLS_PER_SECOND,
    request: (number) => apiRequest(`/workspaces/${workspace.slug}`, target.endpointId, number),
  });
  return { target, stop };
}

/** Alternately creates a token, which publishes an event, and sends a test event, which creates a delivery directly. */
function apiRequest(root: string, endpointId: string, number: number): ApiRequest {
  if (number % 2 === 0) {
    const body = JSON.stringify({ name: `token ${number}`, scopes: ['read'] });
    return { method: 'POST', path: `${root}/api-tokens`, body, status: 201 };
  }
  return { method: 'POST', path: `${root}/webhooks/${endpointId}/test-event`, status: 202 };
}
