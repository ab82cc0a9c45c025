import { DAY_MS } from '@postrider/shared/domain/durations';
import { type JobsOf, replayJobsOf, type ShownJob } from '../api/replay-job.js';
import { seedDeliveries } from '../api/seed-deliveries.js';
import { storeWorkspace } from '../api/workspace.js';
import type { Environment } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, countOf, rateOf, type Scenario } from '../scenario.js';
import { deliveriesOf, latencyFigures, rateFigure } from './figures.js';
import { observe, publishStreams, warmUp } from './load.js';
import { phaseParts, phaseRatioFigure } from './phases.js';

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
const WARM_UP_EVENTS = 1_000;
const SETTLE_S = 3;

export const replay: Scenario = {
  name: 'replay',
  about:
    `${FAILURES.toLocaleString('en')} failures of the last day at one endpoint, sent again by one replay job at ${RATE} a second ` +
    `beside live traffic of 200 a second to ${ENDPOINTS} endpoints, a tenth of it to that endpoint.`,
  run: (context) => measureDeliveries(context, [replaying(context)]),
};

function replaying(context: Context): Measurement {
  const failures = countOf(context, FAILURES);
  const ratePerSecond = Math.max(1, Math.round(rateOf(context, RATE)));
  const seconds = failures / ratePerSecond;
  return {
    label: 'live traffic with a replay job',
    groups: [healthy('others', ENDPOINTS - 1), healthy('replayed', 1)],
    async run(environment) {
      const jobs = replayJobsOf(await seedFailures(context, environment, failures), environment);
      const publish = (forSeconds: number) => publishStreams(environment, STREAMS, { seconds: forSeconds });
      await warmUp(environment, WARM_UP_EVENTS);
      await publish(SETTLE_S);
      const before = await publish(seconds / 2);
      const { jobId } = await startJob(jobs, ratePerSecond);
      const { published: during, processes } = await observe(environment, () => publish(seconds));
      const job = await jobs.until(jobId, ({ endedAt }) => endedAt !== null);
      const after = await publish(seconds / 2);
      const phases = { before, during, after };
      await environment.drained();
      await environment.expectStored({ status: 'dead_lettered' }, 'history');
      const replays = await environment.expectStored({ class: 'replay' }, 'replayed');
      return {
        deliveries: during.events,
        processes,
        problems: problemsOf(job, { failures, replays }),
        figures({ records }) {
          const atEndpoint = latencyFigures(deliveriesOf(records, during, ['replayed']));
          const p99 = atEndpoint.find(({ name }) => name === 'p99');
          return [
            phaseRatioFigure(phases, { records, groups: GROUPS }, { atMost: 1.3 }),
            { name: 'p99 at the endpoint', unit: 'ms', value: p99?.value ?? null },
            rateFigure('replays', job.replayed, spanOf(job), { atLeast: 0.9 * ratePerSecond }),
          ];
        },
        parts: ({ records }) => phaseParts(phases, { records, groups: GROUPS }, 'the job'),
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
async function startJob(jobs: ReturnType<typeof replayJobsOf>, ratePerSecond: number): Promise<ShownJob> {
  const createdAfter = new Date(Date.now() - DAY_MS);
  const { jobId } = await jobs.create({ createdAfter, ratePerSecond });
  return jobs.until(jobId, ({ replayed }) => replayed > 0);
}

function spanOf({ startedAt, endedAt }: ShownJob) {
  return { from: Date.parse(`${startedAt}`), to: Date.parse(`${endedAt}`) };
}

function problemsOf(
  job: ShownJob,
  { failures, replays }: { readonly failures: number; readonly replays: number },
): string[] {
  if (job.status === 'succeeded' && job.replayed === failures && replays === failures) return [];
  return [
    `the job ${job.status} with ${job.replayed} replays, ${replays} are stored, of ${failures} failures`,
  ];
}
