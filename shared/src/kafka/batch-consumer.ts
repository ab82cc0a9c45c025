import type { Kafka } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { consumerSettings } from './consumer-settings.js';
import { type ReadRecord, readRecords } from './read-record.js';
import type { TopicNames } from './topic-names.js';
import { type ConsumerWatch, watchConsumer } from './watch-consumer.js';

export interface BatchConsumer extends ConsumerWatch {
  stop(): Promise<void>;
}

export interface BatchConsumerParts {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly sessionTimeoutMs: number;
  /** Without prefix. */
  readonly groupId: string;
  readonly topic: string;
  /**
   * Handles a batch completely; its offsets are committed after it resolves. When it rejects, the same batch is
   * handed over again after a pause: nothing is skipped, so bad records must be put aside, not thrown.
   */
  readonly handle: (records: readonly ReadRecord[], heartbeat: () => Promise<void>) => Promise<void>;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** One partition's batch does not wait for another's: each is a round trip to the database and one to the broker. */
const PARTITIONS_AT_ONCE = 16;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/** Reads one topic batch by batch, at least once. */
export async function startBatchConsumer(parts: BatchConsumerParts): Promise<BatchConsumer> {
  const { kafka, names, sessionTimeoutMs, groupId, topic, handle, log, fail } = parts;
  const consumer = kafka.consumer({ groupId: names.full(groupId), ...consumerSettings(sessionTimeoutMs) });
  const watch = watchConsumer(consumer, log, fail);
  let stopping = false;
  await consumer.connect();
  await consumer.subscribe({ topic: names.full(topic), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatch: async ({ batch, heartbeat, isRunning, resolveOffset }) => {
      const records = readRecords(batch, names);
      for (let wait = FIRST_PAUSE_MS; !stopping && isRunning(); wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
        try {
          await handle(records, heartbeat);
          resolveOffset(batch.lastOffset());
          const offset = (BigInt(batch.lastOffset()) + 1n).toString();
          return await consumer.commitOffsets([{ topic: batch.topic, partition: batch.partition, offset }]);
        } catch (error) {
          log.warn(
            { event: 'batch.failed', topic, partition: batch.partition, err: error },
            'a batch failed; trying again',
          );
        }
        await heartbeat();
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
  });
  return {
    ...watch,
    async stop() {
      stopping = true;
      await consumer.disconnect();
    },
  };
}
