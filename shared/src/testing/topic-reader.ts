import { randomBytes } from 'node:crypto';
import { type ReadRecord, readRecords } from '../kafka/read-record.js';
import type { TestWorld } from './test-world.js';

export interface TopicReader {
  /** Everything read so far, by partition in order. */
  readonly records: readonly ReadRecord[];
  stop(): Promise<void>;
}

/** Reads a topic from its beginning. */
export async function topicReader({ kafka, names }: TestWorld, topic: string): Promise<TopicReader> {
  const records: ReadRecord[] = [];
  const consumer = kafka.consumer({
    groupId: names.full(`reader-${randomBytes(4).toString('hex')}`),
    maxWaitTimeInMs: 100,
  });
  await consumer.connect();
  await consumer.subscribe({ topic: names.full(topic), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      records.push(...readRecords(batch, names));
    },
  });
  return { records, stop: () => consumer.disconnect() };
}
