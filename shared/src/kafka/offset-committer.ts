import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';
import type { Position } from '../ports/position.js';
import { waitAtMost } from '../runtime/with-timeout.js';
import type { TopicNames } from './topic-names.js';

interface OffsetCommitterParts {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  readonly names: TopicNames;
  /** The uncommitted positions of assigned partitions. The broker does not check the assignment. */
  readonly moved: () => readonly Position[];
  readonly committed: (positions: readonly Position[]) => void;
  readonly log: Log;
}

export interface OffsetCommitter {
  /** Call when positions have moved: they are committed soon, together with those that move until then. */
  schedule(): void;
  /**
   * Commits moved positions, after a commit in progress, and resolves within two seconds. Never rejects: positions that
   * could not be committed are committed later, or their messages are read again.
   */
  commit(): Promise<void>;
  stop(): void;
}

/** Interval in milliseconds. It bounds what is read again after a crash; a commit per batch would cost more than the batch. */
const EVERY_MS = 1_000;
/** Time limit of the last commit, in milliseconds: without a reachable broker it must not block a stop. */
const LAST_COMMIT_MS = 2_000;

/** Commits moved positions in the background, so that consumption does not wait for commits. Without any it does nothing. */
export function startOffsetCommitter(parts: OffsetCommitterParts): OffsetCommitter {
  const { consumer, names, moved, committed, log } = parts;
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
      log.debug({ event: 'commit.failed', err: error }, 'offsets are committed later');
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
    await running;
    await begin();
  };
  return {
    schedule,
    commit: () => waitAtMost(commitAll(), LAST_COMMIT_MS),
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
