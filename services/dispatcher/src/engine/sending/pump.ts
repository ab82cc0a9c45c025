import { nextTurn, type TurnLimit } from '@postrider/shared/runtime/turns';
import type { SendingGuard } from '../../ports/guard.js';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { Settler } from '../settling/settler.js';
import { createJobStarter, type JobStarterParts } from './job-starter.js';
import type { Loaded, Loader } from './loader.js';

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
  /** The number of attempts that were started. */
  started(): number;
}

interface PumpParts extends JobStarterParts {
  readonly workload: JobStarterParts['workload'] & Pick<Workload, 'next' | 'putBack' | 'requeue' | 'isOwned'>;
  readonly loader: Pick<Loader, 'atHand' | 'load' | 'hasRows'>;
  readonly settler: Settler;
  readonly guard: SendingGuard;
  /** Whether other processes may own all partitions by now. */
  readonly isCutOff: () => boolean;
  /**
   * Splits starting into turns of the event loop: in the first seconds of a process, before the code is compiled, and when several
   * reads end in the same turn, it takes long.
   */
  readonly turn: TurnLimit;
  /** The same for jobs whose rows were read, so that those whose rows are at hand do not use their time as well. */
  readonly turnOfRead: TurnLimit;
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
/** Maximum number of chunks that are read or started at the same time; more would only make the chunks smaller. */
const MAX_READS = 4;

export function createPump(parts: PumpParts): Pump {
  const { workload, loader, settler, guard, turn, turnOfRead, batchSize, maxUnsettled, log } = parts;
  const { start, postpone, running, started } = createJobStarter(parts, () => kick());
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
  /** @returns the jobs with what was read for them; none if the rows could not be read */
  const load = async (chunk: readonly Job[]): Promise<readonly (readonly [Job, Loaded | null])[]> => {
    try {
      const loaded = await loader.load(chunk);
      return chunk.map((job) => [job, loaded(job)]);
    } catch (error) {
      log.warn(
        { event: 'read.failed', size: chunk.length, err: error },
        'rows could not be read; trying again',
      );
      for (const job of chunk) postpone(job);
      return [];
    }
  };
  const loadAndStart = async (chunk: readonly Job[]) => {
    reads += 1;
    const unread: Job[] = [];
    for (const [job, loaded] of await load(chunk)) {
      // The chunk that was read first is started first, so that the next read begins as soon as possible.
      while (turnOfRead.isOver()) await nextTurn();
      // Its offset is not done, so the next owner of its partition reads it again.
      if (isStopped) return;
      if (loaded === null) unread.push(job);
      else startIfOwned(job, loaded);
    }
    // Each is queued before the ones behind it. The sizes of the rows that were read are known by now.
    for (const job of unread.reverse()) startIfOwned(job, null);
    reads -= 1;
    kick();
  };
  /**
   * Takes the next jobs and starts those whose rows are at hand. If as many reads as may be are in progress, it ends at the first job
   * that needs another one: the jobs before it do not wait for the rows of others, however long these take.
   *
   * @returns the number of jobs taken, and those to load
   */
  const takeChunk = () => {
    const chunk: Job[] = [];
    let taken = 0;
    const room = Math.min(MAX_STARTS, guard.allowance() - running());
    while (taken < room && chunk.length < batchSize) {
      const job = workload.next();
      if (job === null) break;
      const loaded = loader.atHand(job);
      if (loaded === null && reads >= MAX_READS) {
        workload.putBack(job);
        break;
      }
      taken += 1;
      const waitMs = guard.waitMs(job.message.endpointId);
      if (waitMs > 0) {
        workload.rest(job, waitMs);
        continue;
      }
      if (loaded === null) chunk.push(job);
      else startIfOwned(job, loaded);
      if (turn.isOver()) break;
    }
    return { taken, chunk };
  };
  const run = () => {
    isKicked = false;
    while (mayStart() && (reads < MAX_READS || loader.hasRows()) && settler.unsettled() < maxUnsettled) {
      if (turn.isOver()) return kick();
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
    started,
  };
}
