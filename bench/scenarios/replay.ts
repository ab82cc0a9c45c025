import { type JobsOf, replayJobsOf, type ShownJob } from '../api/replay-job.js';
import { seedDeliveries } from '../api/seed-deliveries.js';
import { storeWorkspace } from '../api/workspace.js';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, countOf, type Scenario } from '../scenario.js';
import { deliveriesOf, lagFigure, latencyFigures, rateFigure, ratioFigure } from './figures.js';
import { observe, publishStreams, warmUp } from './load.js';

const FAILURES = 10_000;
/** Replays in a second. */
const RATE = 200;
/** Live events in a second, a tenth of them for the endpoint that gets the replays. */
const STREAMS = [
  { perSecond: 180, group: 'others' },
  { perSecond: 20, group: 'replayed' },
];
const GROUPS = STREAMS.map(({ group }) => group);
const ENDPOINTS = 100;
const WITHOUT_JOB = 'live traffic alone';
const DAY_MS = 24 * 60 * 60 * 1_000;
const WARM_UP_EVENTS = 1_000;
const SETTLE_S = 3;

export const replay: Scenario = {
  name: 'replay',
  about:
    `${FAILURES.toLocaleString('en')} failures of the last day at one endpoint, sent again by one replay job at ${RATE} a second ` +
    `beside live traffic of 200 a second to ${ENDPOINTS} endpoints, a tenth of it to that endpoint.`,
  run: (context) =>
    measureDeliveries(context, [
      replaying(context, { label: WITHOUT_JOB }),
      replaying(context, { label: 'with a replay job', baseline: WITHOUT_JOB }),
    ]),
};

function replaying(
  context: Context,
  row: { readonly label: string; readonly baseline?: string },
): Measurement {
  const failures = countOf(context, FAILURES);
  return {
    ...row,
    groups: [healthy('others', ENDPOINTS - 1), healthy('replayed', 1)],
    async run(environment, baseline) {
      const jobs = replayJobsOf(await seedFailures(context, environment, failures), environment);
      await warmUp(environment, WARM_UP_EVENTS);
      await publishStreams(environment, STREAMS, { seconds: SETTLE_S });
      const job = baseline === null ? null : await startJob(jobs);
      const { published, processes } = await observe(environment, () =>
        publishStreams(environment, STREAMS, { seconds: failures / RATE }),
      );
      const ended = job && (await jobs.until(job.jobId, ({ endedAt }) => endedAt !== null));
      await environment.drained();
      await environment.expectStored({ status: 'dead_lettered' }, 'history');
      const replays = await environment.expectStored({ class: 'replay' }, 'replayed');
      return {
        deliveries: published.events,
        processes,
        problems: problemsOf(ended, { failures, replays }),
        figures({ records }) {
          const live = latencyFigures(deliveriesOf(records, published, GROUPS));
          const [, , p99] = latencyFigures(deliveriesOf(records, published, ['replayed']));
          return [
            ...live,
            ...(baseline === null
              ? []
              : [ratioFigure('times p99', 'p99', { figures: live, baseline }, { atMost: 1.3 })]),
            { name: 'p99 at the endpoint', unit: 'ms', value: p99?.value ?? null },
            lagFigure(published),
            ...(ended === null
              ? []
              : [rateFigure('replays', ended.replayed, spanOf(ended), { atLeast: 0.9 * RATE })]),
          ];
        },
      };
    },
  };
}

/** Starts the api with failures of the last day in the workspace of the endpoint that gets the replays. */
async function seedFailures(context: Context, environment: Environment, failures: number): Promise<JobsOf> {
  const { namespace, population } = environment;
  const { endpoint, workspace: index } = population.endpoints.find(({ group }) => group.name === 'replayed')!;
  const workspace = population.workspaces[index]!;
  const token = await storeWorkspace(namespace, workspace);
  const stored = { ...workspace, token, endpointIds: [endpoint.id] };
  await seedDeliveries(context, namespace, stored, { deliveries: failures, statusOf: () => 'dead_lettered' });
  const { port } = await environment.start('api');
  return { port, slug: workspace.slug, token };
}

/** Starts the job with one call. @returns it once it replays */
async function startJob(jobs: ReturnType<typeof replayJobsOf>): Promise<ShownJob> {
  const createdAfter = new Date(Date.now() - DAY_MS);
  const { jobId } = await jobs.create({ createdAfter, ratePerSecond: RATE });
  return jobs.until(jobId, ({ replayed }) => replayed > 0);
}

function spanOf({ startedAt, endedAt }: ShownJob) {
  return { from: Date.parse(`${startedAt}`), to: Date.parse(`${endedAt}`) };
}

function problemsOf(
  job: ShownJob | null,
  { failures, replays }: { readonly failures: number; readonly replays: number },
): string[] {
  const expected = job === null ? 0 : failures;
  const isComplete = job === null || (job.status === 'succeeded' && job.replayed === failures);
  if (isComplete && replays === expected) return [];
  return [
    `the job ${job?.status} with ${job?.replayed} replays, ${replays} are stored, of ${failures} failures`,
  ];
}
