import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';
import type { Position } from '../ports/position.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { TopicNames } from './topic-names.js';

export interface OffsetCommitterParts {
  readonly consumer: Pick<Consumer, 'commitOffsets'>;
  readonly names: TopicNames;
  /** What has moved since it was last committed, of partitions that are ours: the broker does not check that. */
  readonly moved: () => readonly Position[];
  readonly committed: (positions: readonly Position[]) => void;
  readonly log: Log;
}

export interface OffsetCommitter {
  /**
   * Commits what has moved, after a commit that is under way, and resolves within two seconds. Never rejects: what could
   * not be committed now is committed with what comes later, or read once more.
   */
  commit(): Promise<void>;
  stop(): void;
}

/** A crash makes at most this much be read once more. A commit per batch would cost the broker more than the batch. */
const EVERY_MS = 250;
/** Without the broker a commit may take for ever, and whoever stops has more to do. */
const LAST_COMMIT_MS = 2_000;

/** Commits positions by the clock, so that nobody who works waits for it. */
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
  // One at a time: the client tries for as long as the broker is away, and what piles up sets offsets back.
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
