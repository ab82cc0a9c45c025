import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import type { World } from '../world/world.js';
import { atLeast } from './frequent.js';
import { REPLAYED_WITHIN_MS } from './held-deliveries.js';

const JOB_PER_SECOND = 200;
const CRASHES = { counting: 3, replaying: 5, ending: 2 };
export const ALL_CRASHES = CRASHES.counting + CRASHES.replaying + CRASHES.ending;
/** The job counts 1,000 deliveries and replays at most 40 of them at a time, so each process crashes before the work is done. */
const COUNTS = 3;
const BATCHES = 30;

interface Job {
  readonly jobId: string;
  readonly status: string;
  readonly matched: number;
  readonly replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
}

const stepsOfJob = ['counting', 'replaying', 'ending'] as const;
type JobStep = (typeof stepsOfJob)[number];

/** The step in which a process has left the job. */
function stepOf({ status, matched, replayed, skipped }: Job): JobStep {
  if (status === 'counting') return 'counting';
  return replayed + skippedOf(skipped) < matched ? 'replaying' : 'ending';
}
const skippedOf = (skipped: Job['skipped']) => Object.values(skipped).reduce((sum, count) => sum + count, 0);

/**
 * Replaces the api processes by two that crash at a failpoint of the job, as do their replacements: only the process with the
 * lease reaches one. The first ones crash while counting if they get the job then, and the last ones before its end.
 */
export const startCrashingApis: Step = async ({ services, random }) => {
  await services.stopAll('api');
  let starts = 0;
  const env = (): Readonly<Record<string, string>> => {
    starts += 1;
    if (starts > ALL_CRASHES) return {};
    const specs = ['replay.end'];
    if (starts <= CRASHES.counting + CRASHES.replaying)
      specs.push(`replay.batch:${random.between(1, BATCHES)}`);
    if (starts <= CRASHES.counting) specs.push(`replay.count:${random.between(1, COUNTS)}`);
    return { FAILPOINTS: specs.join(',') };
  };
  for (let process = 0; process < 2; process += 1) await services.start('api', { env });
};

/** Counts the crashes by the step of the job, until the job has ended. @returns the ended job */
async function watchCrashes({ services, db, log }: World, { jobId }: Pick<Job, 'jobId'>): Promise<Job> {
  const crashes: Record<JobStep, number> = { counting: 0, replaying: 0, ending: 0 };
  const exits = () => services.running('api').flatMap((api) => api.exits()).length;
  const jobs = db.collection<Job & { readonly _id: string }>('replay_jobs');
  let seen = exits();
  const readEnded = async () => {
    const crashed = exits() - seen;
    seen += crashed;
    const job = await jobs.findOne({ _id: jobId });
    // No process has taken the job over yet: its lease is longer than the time between two polls.
    if (job !== null && crashed > 0) crashes[stepOf(job)] += crashed;
    return job !== null && job.status === 'succeeded' ? job : undefined;
  };
  const timing = { everyMs: 100, timeoutMs: REPLAYED_WITHIN_MS, what: 'the end of the replay job' };
  const job = await poll(readEnded, timing);
  log(`crashes while the job was ${stepsOfJob.map((step) => `${step}: ${crashes[step]}`).join(', ')}`);
  // Which of two processes gets the lease is a matter of time, so one crash may be in a later step.
  atLeast(CRASHES.counting - 1, crashes.counting, 'crashes while the job counted');
  atLeast(CRASHES.replaying - 1, crashes.replaying, 'crashes while the job replayed');
  atLeast(CRASHES.ending - 1, crashes.ending, 'crashes at the end of the job');
  return job;
}

/** Replays everything that was held, at least so many deliveries, by a job, while each process that gets its lease crashes. */
export const replayDuringCrashes =
  (least: number): Step =>
  async (world) => {
    const input = { createdAfter: new Date(0).toISOString(), ratePerSecond: JOB_PER_SECOND };
    const filter = { failureReasons: ['endpoint_disabled'], eventTypes: ['api_token.created'] };
    const created = await world.client.call<Job>('POST', '/webhooks/replay-jobs', { ...input, ...filter });
    if (created === null) throw new Error('the replay job was not created');
    const job = await watchCrashes(world, created);
    const skipped = skippedOf(job.skipped);
    world.log(`the job replayed ${job.replayed} and skipped ${skipped} of ${job.matched} deliveries`);
    if (job.matched !== job.replayed + skipped) throw new Error('the totals of the job do not add up');
    atLeast(least, job.replayed, 'deliveries were replayed');
  };
