import { distinct } from '@postrider/shared/domain/distinct';
import { poll } from '#dev/processes/poll';
import type { Fault, Step } from '../fault.js';
import { OK } from '../load/receiver.js';
import { mostMissing } from '../steps/arrival-order.js';
import { addEndpoints, atLeast, paths } from '../steps/frequent.js';
import type { World } from '../world/world.js';

const HELD_PATH = '/held';
const HELD_EVENTS = 5_000;
const REPLAYED_PATHS = paths('/replayed', 20);
const EVENTS_EACH = 500;
const JOB_PER_SECOND = 200;
const CRASHES = { counting: 3, replaying: 5, ending: 2 };
const ALL_CRASHES = CRASHES.counting + CRASHES.replaying + CRASHES.ending;
/** The job counts 1,000 deliveries and replays at most 40 of them at a time, so each process crashes before the work is done. */
const COUNTS = 3;
const BATCHES = 30;
const REPLAYED_WITHIN_MS = 240_000;
/**
 * POSTs of an endpoint begin in order, and at most four are in flight (MAX_CONCURRENCY). So when one arrives, at most three earlier
 * ones can be missing.
 */
const MAX_MISSING = 3;

const well = () => OK;

interface Row {
  readonly _id: string;
  readonly endpointId: string;
  readonly status: string;
  readonly replayedFrom: string | null;
}

const rowsOf = ({ db }: World) => db.collection<Row>('deliveries');
const idsOf = ({ endpoints }: World, some: readonly string[]) =>
  endpoints.filter(({ path }) => some.includes(path)).map(({ id }) => id);

/** Disables the endpoints, creates events, and waits until each of them is held. */
const hold =
  (some: readonly string[], events: number): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    for (const id of ids) await world.client.call('PATCH', `/webhooks/${id}`, { enabled: false });
    await world.load.burst(events);
    const least = ids.length * events;
    const held = { endpointId: { $in: ids }, failureReason: 'endpoint_disabled' };
    const isHeld = async () => (await rowsOf(world).countDocuments(held)) >= least || undefined;
    await poll(isHeld, { everyMs: 500, timeoutMs: REPLAYED_WITHIN_MS, what: `${least} held deliveries` });
    world.log(`${await rowsOf(world).countDocuments(held)} deliveries are held`);
  };

/** Enables the endpoints. @param replayHeld what the call says about held deliveries */
const enable =
  (some: readonly string[], replayHeld: { readonly replayHeld?: true }): Step =>
  async (world) => {
    for (const id of idsOf(world, some)) {
      const path = `/webhooks/${id}`;
      // A call whose answer was lost may have been made.
      const isEnabled = async () => {
        if ((await world.client.call('PATCH', path, { enabled: true, ...replayHeld })) !== null) return true;
        const endpoint = await world.client.call<{ enabled: boolean }>('GET', path);
        return endpoint?.enabled || undefined;
      };
      await poll(isEnabled, { everyMs: 500, timeoutMs: 60_000, what: `enabling ${id}` });
    }
  };

/** Waits until each held delivery of the endpoints has a replay that was delivered. */
const untilReplayed =
  (some: readonly string[]): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    const held = { endpointId: { $in: ids }, failureReason: 'endpoint_disabled', replayedFrom: null };
    const replayed = { endpointId: { $in: ids }, replayedFrom: { $ne: null }, status: 'delivered' };
    const isReplayed = async () => {
      const [all, done] = [
        await rowsOf(world).countDocuments(held),
        await rowsOf(world).countDocuments(replayed),
      ];
      return done >= all || undefined;
    };
    await poll(isReplayed, {
      everyMs: 1_000,
      timeoutMs: REPLAYED_WITHIN_MS,
      what: 'the replay of held deliveries',
    });
  };

/** @throws Error unless each held delivery was replayed once */
const eachIsReplayedOnce =
  (some: readonly string[]): Step =>
  async (world) => {
    const ids = idsOf(world, some);
    const rows = await rowsOf(world)
      .find({ endpointId: { $in: ids } }, { projection: { replayedFrom: 1, status: 1, failureReason: 1 } })
      .toArray();
    const sources = rows.filter((row) => row.replayedFrom === null && row.status === 'failed_permanent');
    const replays = Map.groupBy(rows, ({ replayedFrom }) => replayedFrom);
    const wrong = sources.filter(({ _id }) => replays.get(_id)?.length !== 1);
    world.log(`${sources.length - wrong.length} of ${sources.length} deliveries were replayed once`);
    atLeast(1, sources.length, 'deliveries were held');
    if (wrong.length > 0)
      throw new Error(`${wrong[0]?._id} was replayed ${replays.get(wrong[0]?._id ?? '')?.length ?? 0} times`);
  };

/** @throws Error unless each replay arrived, in the order of its events, except for POSTs that were in flight together */
const arrivedInOrder =
  (path: string): Step =>
  async (world) => {
    const ids = idsOf(world, [path]);
    const replays = await rowsOf(world)
      .find({ endpointId: { $in: ids }, replayedFrom: { $ne: null } })
      .sort({ replayedFrom: 1 })
      .toArray();
    const expected = new Map(replays.map(({ _id }, index) => [_id, index]));
    // The oracle checks whether a POST was repeated without a reason.
    const arrived = distinct(world.receiver.received.map(({ deliveryId }) => deliveryId)).filter((id) =>
      expected.has(id),
    );
    if (arrived.length !== replays.length)
      throw new Error(`${arrived.length} of ${replays.length} replays arrived`);
    const places = arrived.map((id) => expected.get(id) ?? 0);
    const missing = mostMissing(places);
    const displaced = Math.max(...places.map((place, index) => Math.abs(place - index)));
    world.log(
      `a replay arrived before ${missing} older ones at most, and ${displaced} places from its own at most`,
    );
    if (missing > MAX_MISSING) throw new Error('replays did not arrive oldest first');
  };

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
const startCrashingApis: Step = async ({ services, random }) => {
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

/** Replays everything that was held by a job, while each process that gets its lease crashes. */
const replayDuringCrashes: Step = async (world) => {
  const input = { createdAfter: new Date(0).toISOString(), ratePerSecond: JOB_PER_SECOND };
  const filter = { failureReasons: ['endpoint_disabled'], eventTypes: ['api_token.created'] };
  const created = await world.client.call<Job>('POST', '/webhooks/replay-jobs', { ...input, ...filter });
  if (created === null) throw new Error('the replay job was not created');
  const job = await watchCrashes(world, created);
  const skipped = skippedOf(job.skipped);
  world.log(`the job replayed ${job.replayed} and skipped ${skipped} of ${job.matched} deliveries`);
  if (job.matched !== job.replayed + skipped) throw new Error('the totals of the job do not add up');
  atLeast(REPLAYED_PATHS.length * EVENTS_EACH, job.replayed, 'deliveries were replayed');
};

export const REPLAYS: readonly Fault[] = [
  {
    number: 35,
    name: `an endpoint is disabled, misses ${HELD_EVENTS.toLocaleString('en')} events, and gets them when it is enabled`,
    checkEveryMs: 30_000,
    prepare: addEndpoints([HELD_PATH], well),
    steps: [
      hold([HELD_PATH], HELD_EVENTS),
      enable([HELD_PATH], { replayHeld: true }),
      untilReplayed([HELD_PATH]),
      eachIsReplayedOnce([HELD_PATH]),
      arrivedInOrder(HELD_PATH),
    ],
  },
  {
    number: 36,
    name: `up to ${ALL_CRASHES} crashes of api processes with the lease of a job that replays ${(REPLAYED_PATHS.length * EVENTS_EACH).toLocaleString('en')} deliveries`,
    rate: 2,
    checkEveryMs: 60_000,
    settings: () => ({ REPLAY_LEASE: '3s', REPLAY_POLL_INTERVAL: '500ms' }),
    prepare: addEndpoints(REPLAYED_PATHS, well),
    steps: [
      hold(REPLAYED_PATHS, EVENTS_EACH),
      enable(REPLAYED_PATHS, {}),
      startCrashingApis,
      replayDuringCrashes,
      untilReplayed(REPLAYED_PATHS),
      eachIsReplayedOnce(REPLAYED_PATHS),
    ],
  },
];
