import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';
import type { Position } from '../ports/position.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { TopicNames } from './topic-names.js';

export interface OffsetCommitterParts {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  readonly names: TopicNames;
  /** The uncommitted positions of assigned partitions. The broker does not check the assignment. */
  readonly moved: () => readonly Position[];
  readonly committed: (positions: readonly Position[]) => void;
  readonly log: Log;
}

export interface OffsetCommitter {
  /**
   * Commits moved positions, after a commit in progress, and resolves within two seconds. Never rejects: positions that
   * could not be committed are committed later, or their messages are read again.
   */
  commit(): Promise<void>;
  stop(): void;
}

/** Bounds how much is read again after a crash. A commit per batch would cost the broker more than the batch. */
const EVERY_MS = 250;
/** A commit without a reachable broker must not block a stop. */
const LAST_COMMIT_MS = 2_000;

/** Commits positions periodically, so that consumption does not wait for commits. */
export function startOffsetCommitter(parts: OffsetCommitterParts): OffsetCommitter {
  const { consumer, names, moved, committed, log } = parts;
  let running: Promise<void> | null = null;
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
    }
  };
  // One at a time: the client retries while the broker is unavailable, and queued commits would set offsets back.
  const begin = () => {
    running = commitMoved().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => {
    if (running === null) void begin();
  }, EVERY_MS);
  const commitAll = async () => {
    await running;
    await begin();
  };
  const commit = () => withTimeout(commitAll(), LAST_COMMIT_MS, async () => {});
  return { commit, stop: () => clearInterval(timer) };
}
