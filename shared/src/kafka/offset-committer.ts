import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';
import type { Position } from '../ports/position.js';
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
  /** Commits what has moved. Never rejects: what could not be committed now is committed with what comes later. */
  commit(): Promise<void>;
  stop(): void;
}

/** A crash makes at most this much be read once more. A commit per batch would cost the broker more than the batch. */
const EVERY_MS = 250;

/** Commits positions by the clock, so that nobody who works waits for it. */
export function startCommitting(parts: OffsetCommitterParts): OffsetCommitter {
  const { consumer, names, moved, committed, log } = parts;
  const commit = async () => {
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
  const timer = setInterval(() => void commit(), EVERY_MS);
  return { commit, stop: () => clearInterval(timer) };
}
