import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { PATHS } from '#dev/start/paths';
import { runAdmin } from '#dev/start/run-admin';
import { type AcceptedEvent, type PublishingWorkspace, publishEvents } from '../api/publishers.js';
import { storeWorkspace } from '../api/workspace.js';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { distributionOf } from '../measure/quantile.js';
import type { Goal } from '../report/row.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { distributionFigures, latenciesOf, rateFigure } from './figures.js';

const GROUP = 'published';
const WORKSPACES = 20;
const SECONDS = 30;
const WARM_UP_S = 3;
/** Most of 1 KiB for the receiver. */
const TEXT = 'x'.repeat(400);
const WITHOUT_LIMITS = { RATE_LIMIT_PUBLISH: '0', RATE_LIMIT_REST_WRITE: '0' };

export const publish: Scenario = {
  name: 'publish',
  about:
    `Custom events over REST through one api process: from the request to the receiver, in ${WORKSPACES} workspaces with an ` +
    'endpoint each, every event accounted for by its id.',
  run: (context) =>
    measureDeliveries(context, [
      publishing(context, { label: 'single events', batch: 1, clients: 16, goal: { atLeast: 400 } }),
      publishing(context, { label: 'single events, api killed', batch: 1, clients: 16, kills: true }),
      publishing(context, { label: 'batches of 100', batch: 100, clients: 8, goal: { atLeast: 1_500 } }),
      publishing(context, { label: 'batches of 100, api killed', batch: 100, clients: 8, kills: true }),
    ]),
};

interface Row {
  readonly label: string;
  readonly batch: number;
  readonly clients: number;
  readonly goal?: Goal;
  /** Kills the api with SIGKILL in the middle, and starts another one. */
  readonly kills?: true;
}

function publishing(context: Context, { label, batch, clients, goal, kills }: Row): Measurement {
  return {
    label,
    groups: [healthy(GROUP, WORKSPACES)],
    env: WITHOUT_LIMITS,
    async run(environment) {
      const event = await openToCustomEvents(environment);
      const workspaces = await tokensOf(environment);
      let api = await environment.start('api');
      const plan = {
        origin: () => `http://127.0.0.1:${api.port}`,
        workspaces,
        clients,
        batch,
        event,
        signal: environment.signal,
      };
      expectDeliveries(environment, (await publishEvents({ ...plan, seconds: WARM_UP_S })).accepted);
      await environment.drained();
      const meter = environment.measure();
      const seconds = secondsOf(context, SECONDS);
      const publishingAll = publishEvents({ ...plan, seconds });
      if (kills) {
        await environment.sleep(seconds * 500);
        await environment.kill(api);
        api = await environment.start('api');
      }
      const { accepted, latenciesMs, refused, retries, span } = await publishingAll;
      const ids = expectDeliveries(environment, accepted);
      const drainedAt = await environment.drained();
      const processes = meter.stop();
      return {
        deliveries: accepted.length,
        processes,
        problems: refused.map((reason) => `a request was refused: ${reason}`),
        figures({ records, account }) {
          const own = [...ids].flatMap((id) => records.get(id) ?? []);
          return [
            rateFigure('events accepted', accepted.length, span, goal),
            rateFigure('events delivered', accepted.length, { from: span.from, to: drainedAt }, goal),
            ...distributionFigures(latenciesMs, ['p50', 'p95', 'max']),
            { name: 'to the receiver p95', unit: 'ms', value: distributionOf(latenciesOf(own)).p95 },
            { name: 'lost', unit: '', value: account.missing + account.unfinished, goal: { atMost: 0 } },
            { name: 'requests repeated', unit: '', value: retries },
          ];
        },
      };
    },
  };
}

/** Applies the example of a catalogue and subscribes all endpoints to it. @returns an event to publish */
async function openToCustomEvents({ namespace }: Environment): Promise<object> {
  await runAdmin(['catalogue', 'apply', PATHS.eventTypes], namespace.env);
  const subscriptions = [{ eventType: '*', since: new Date() }];
  await namespace.database.collections.endpoints.updateMany({}, { $set: { subscriptions } });
  const [type] = parse(readFileSync(PATHS.eventTypes, 'utf8')).eventTypes;
  return { type: type.name, data: { ...type.examples[0], metadata: { one: TEXT, two: TEXT } } };
}

interface BenchWorkspace extends PublishingWorkspace {
  readonly endpointId: string;
}

function tokensOf({ namespace, population }: Environment): Promise<BenchWorkspace[]> {
  return Promise.all(
    population.endpoints.map(async ({ endpoint, workspace: index }) => {
      const workspace = population.workspaces[index]!;
      const token = await storeWorkspace(namespace, workspace);
      return { slug: workspace.slug, token, endpointId: endpoint.id };
    }),
  );
}

/** @returns the ids of the deliveries that must exist */
function expectDeliveries(
  environment: Environment,
  accepted: readonly AcceptedEvent<BenchWorkspace>[],
): ReadonlySet<string> {
  const expected = accepted.map(({ eventId, workspace, createdAt }) => {
    return { eventId, endpointId: workspace.endpointId, group: GROUP, createdAt };
  });
  return environment.expectEvents(expected);
}
