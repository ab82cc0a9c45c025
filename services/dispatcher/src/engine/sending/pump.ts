import type { SendingGuard } from '../../ports/guard.js';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { Settler } from '../settling/settler.js';
import { createJobStarter, type JobStarterParts } from './job-starter.js';
import type { Load, Loaded, Loader } from './loader.js';

/** Starts jobs up to the limits: takes them in turn, and loads rows and endpoints in chunks. */
export interface Pump {
  /** Starts jobs in the next turn of the event loop. Cheap, so it is called after every change. */
  kick(): void;
  /** Starts no jobs until `resume`. */
  pause(): void;
  resume(): void;
  /** Starts no more jobs. */
  stop(): void;
  /** False while it is paused, and once it is stopped. */
  mayStart(): boolean;
  /** Attempts in progress. */
  running(): number;
}

interface PumpParts extends JobStarterParts {
  readonly workload: JobStarterParts['workload'] & Pick<Workload, 'next' | 'putBack' | 'requeue' | 'isOwned'>;
  readonly loader: Pick<Loader, 'atHand' | 'load'>;
  readonly settler: Settler;
  readonly guard: SendingGuard;
  /** Whether other processes may own all partitions by now. */
  readonly isCutOff: () => boolean;
  /** Maximum number of jobs in one read. */
  readonly batchSize: number;
  /** No further attempt is sent while this many observations wait for their commit. */
  readonly maxUnsettled: number;
}

/**
 * Maximum number of jobs that start in one turn of the event loop if their rows are at hand. An event needs several turns until
 * its POST, so each turn that a burst of others makes longer delays it several times.
 */
const MAX_STARTS = 32;
/** Maximum number of concurrent reads; more would only make the chunks smaller. */
const MAX_READS = 4;

export function createPump(parts: PumpParts): Pump {
  const { workload, loader, settler, guard, batchSize, maxUnsettled, log } = parts;
  const { start, postpone, running } = createJobStarter(parts, () => kick());
  let reads = 0;
  let isKicked = false;
  let isPaused = false;
  let isStopped = false;
  /** The partitions may belong to another process by now: no job whose row was being read is sent. */
  const requeue = (job: Job) => {
    workload.release(job, null);
    workload.requeue(job);
  };
  /**
   * Starts a job unless its partition may belong to another process by now: after a freeze, the result of a read arrives
   * before any timer pauses the pump.
   */
  const startIfOwned = (job: Job, loaded: Loaded | null) => {
    if (isPaused || parts.isCutOff() || !workload.isOwned(job)) requeue(job);
    else if (loaded === null) workload.putBack(job);
    else start(job, loaded);
  };
  /** @returns null if the rows could not be read */
  const load = async (chunk: readonly Job[]): Promise<Load | null> => {
    try {
      return await loader.load(chunk);
    } catch (error) {
      log.warn(
        { event: 'read.failed', size: chunk.length, err: error },
        'rows could not be read; trying again',
      );
      for (const job of chunk) postpone(job);
      return null;
    }
  };
  const startLoaded = (chunk: readonly Job[], loaded: Load) => {
    const unread: Job[] = [];
    for (const job of chunk) {
      const found = loaded(job);
      if (found === null) unread.push(job);
      else startIfOwned(job, found);
    }
    // Each is queued before the ones behind it. The sizes of the rows that were read are known by now.
    for (const job of unread.reverse()) startIfOwned(job, null);
  };
  const loadAndStart = async (chunk: readonly Job[]) => {
    reads += 1;
    const loaded = await load(chunk);
    reads -= 1;
    // Once it is stopped, the offsets of these jobs are not done, so the next owner of their partition reads them again.
    if (loaded !== null && !isStopped) startLoaded(chunk, loaded);
    kick();
  };
  /** Takes the next jobs and starts those whose rows are at hand. @returns the number taken, and the jobs to load */
  const takeChunk = () => {
    const chunk: Job[] = [];
    let taken = 0;
    const room = Math.min(MAX_STARTS, guard.allowance() - running());
    for (; taken < room && chunk.length < batchSize; taken += 1) {
      const job = workload.next();
      if (job === null) break;
      const waitMs = guard.waitMs(job.message.endpointId);
      if (waitMs > 0) {
        postpone(job, waitMs);
        continue;
      }
      const loaded = loader.atHand(job);
      if (loaded === null) chunk.push(job);
      else startIfOwned(job, loaded);
    }
    return { taken, chunk };
  };
  const run = () => {
    isKicked = false;
    while (mayStart() && reads < MAX_READS && settler.unsettled() < maxUnsettled) {
      const { taken, chunk } = takeChunk();
      if (taken === 0) return;
      if (chunk.length > 0) void loadAndStart(chunk);
      // Preparing requests blocks the event loop, so the next jobs start in a later turn.
      if (chunk.length < taken) return kick();
    }
  };
  const mayStart = () => !isPaused && !isStopped;
  const kick = () => {
    if (isKicked || isStopped) return;
    isKicked = true;
    setImmediate(run);
  };
  return {
    kick,
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      kick();
    },
    stop: () => {
      isStopped = true;
    },
    mayStart,
    running,
  };
}
