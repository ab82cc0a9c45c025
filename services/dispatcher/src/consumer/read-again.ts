import { connectPartitionReader, PositionLost } from '@postrider/shared/kafka/partition-reader';
import { type ReadRecord, readRecord } from '@postrider/shared/kafka/read-record';
import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { loadOnce } from '@postrider/shared/runtime/load-once';
import type { Kafka } from 'kafkajs';
import type { StartsLater } from '../fan-out/event-record.js';
import type { Source } from '../offsets/open-offsets.js';

/** Reads events again, independently of the consumer and from any offset. Connects on the first read. */
export interface ReadAgain {
  /**
   * Reads records of a partition, starting with the given one. If it is not stored, the first result is another record, or
   * there is none. Rejects while the partition cannot be read.
   */
  read(from: Source): Promise<readonly ReadRecord[] | StartsLater>;
  close(): Promise<void>;
}

const WAIT_MS = 1_000;
/** Maximum size of one read, in bytes. Most of a larger one would be events whose workspaces have no room. */
const MAX_BYTES = 256 * 1024;

export function createReadAgain(parts: { readonly kafka: Kafka; readonly names: TopicNames }): ReadAgain {
  let isConnected = false;
  const connect = loadOnce(async () => {
    const reader = await connectPartitionReader({ ...parts, topic: EVENTS_TOPIC, maxBytes: MAX_BYTES });
    isConnected = true;
    return reader;
  });
  return {
    async read({ topic, partition, offset }) {
      const reader = await connect();
      const fetched = await reader.fetch(new Map([[partition, offset]]), WAIT_MS).catch((error: unknown) => {
        if (error instanceof PositionLost) return null;
        throw error;
      });
      if (fetched === null) {
        const start = (await reader.starts([partition])).get(partition) ?? 0;
        // Otherwise the topic was recreated, and has fewer records.
        return start > offset ? { start } : [];
      }
      // A new leader may not know yet that the record is replicated.
      if (fetched.records.length === 0) throw new Error(`no record was read from offset ${offset}`);
      return fetched.records.map((record) => readRecord(topic, record));
    },
    async close() {
      if (isConnected) await (await connect()).close();
    },
  };
}
