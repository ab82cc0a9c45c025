import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';
import type { Position } from '../ports/position.js';
import { createLogThrottle } from '../runtime/log-throttle.js';
import { waitAtMost } from '../runtime/with-timeout.js';
import type { TopicNames } from './topic-names.js';

interface OffsetCommitterParts {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  readonly names: TopicNames;
  /** The uncommitted positions of assigned partitions. The broker does not check the assignment. */
  readonly moved: () => readonly Position[];
  readonly committed: (positions: readonly Position[]) => void;
  readonly log: Log;
  readonly monotonicMs?: () => number;
}

export interface OffsetCommitter {
  /** Call when positions have moved: they are committed soon, together with those that move until then. */
  schedule(): void;
  /**
   * Commits moved positions, after a commit in progress, and resolves within two seconds. Never rejects: positions that
   * could not be committed are committed later, or their messages are read again.
   */
  commit(): Promise<void>;
  /** Resolves when a commit in progress has ended, also one that the client repeats. */
  ended(): Promise<void>;
  stop(): void;
}

/** Interval in milliseconds. It bounds what is read again after a crash; a commit per batch would cost more than the batch. */
const EVERY_MS = 1_000;
/** Time limit of the last commit, in milliseconds: without a reachable broker it must not block a stop. */
const LAST_COMMIT_MS = 2_000;
/** Refusals of a member that has to join its group again. What it read is committed after that, or read again. */
const REBALANCE_ERRORS: ReadonlySet<unknown> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
]);

/** Commits moved positions in the background, so that consumption does not wait for commits. Without any it does nothing. */
export function startOffsetCommitter(parts: OffsetCommitterParts): OffsetCommitter {
  const { consumer, names, moved, committed, log, monotonicMs = () => performance.now() } = parts;
  const mayWarn = createLogThrottle({ monotonicMs });
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const schedule = () => {
    if (timer !== null || stopped) return;
    timer = setTimeout(() => {
      timer = null;
      if (running === null) void begin();
      else schedule();
    }, EVERY_MS);
  };
  /** The client itself tries again while the broker is unavailable, so any other error is likely to last. */
  const report = (err: unknown) => {
    const line = { event: 'commit.failed', err };
    if (isRebalance(err) || !mayWarn()) log.debug(line, 'offsets are committed later');
    else
      log.warn(
        line,
        'the broker refuses offsets: they are committed later, and a restart reads again what follows the committed ones',
      );
  };
  const commitMoved = async () => {
    const positions = moved();
    if (positions.length === 0) return;
    try {
      await consumer.commitOffsets(
        positions.map(({ topic, partition, offset }) => {
          return { topic: names.full(topic), partition, offset: String(offset) };
        }),
      );
      committed(positions);
    } catch (error) {
      report(error);
      schedule();
    }
  };
  // One at a time: the client retries while the broker is unavailable, and queued commits would set offsets back.
  const begin = () => {
    running = commitMoved().finally(() => {
      running = null;
    });
    return running;
  };
  const commitAll = async () => {
    // Another caller may have begun one since.
    while (running !== null) await running;
    await begin();
  };
  return {
    schedule,
    commit: () => waitAtMost(commitAll(), LAST_COMMIT_MS),
    async ended() {
      await running;
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** The client wraps an error that it does not retry in one of another class. */
function isRebalance(error: unknown): boolean {
  const { type, cause } = error as { readonly type?: unknown; readonly cause?: { readonly type?: unknown } };
  return REBALANCE_ERRORS.has(type) || REBALANCE_ERRORS.has(cause?.type);
}
