import type { Queued, QueueMessage } from '@postrider/shared/ports/queue';
import { DELIVERY_TOPICS } from '@postrider/shared/ports/topics';

export const PARTITIONS = 2;

interface LogEntry {
  readonly offset: number;
  readonly message: QueueMessage;
  readonly appendedAt: number;
}

export interface PartitionLog {
  readonly topic: string;
  readonly partition: number;
  entries: LogEntry[];
  /** The offset of the next entry. */
  end: number;
  /** The committed offset of the consumer group. */
  committed: number;
  /** The partition was reset, so its position may move back once. */
  begunAnew: boolean;
}

/** The topics of a broker, with gaps between offsets as after compaction and transactions. */
export function simulatedBroker(partitionOf: (endpointId: string) => number, wallMs: () => number) {
  const logs = DELIVERY_TOPICS.flatMap((topic) =>
    Array.from({ length: PARTITIONS }, (_, partition): PartitionLog => {
      return { topic, partition, entries: [], end: 0, committed: 0, begunAnew: false };
    }),
  );
  const append = ({ topic, message }: Queued) => {
    const partition = partitionOf(message.endpointId);
    const log = logs.find((one) => one.topic === topic && one.partition === partition)!;
    log.entries.push({ offset: log.end, message, appendedAt: wallMs() });
    log.end += log.end % 3 === 2 ? 4 : 1;
  };
  return {
    logs,
    append,
    /** Deletes and recreates the topics: their messages and the committed offsets are lost. */
    recreate() {
      for (const log of logs) Object.assign(log, { entries: [], end: 0, committed: 0, begunAnew: true });
    },
  };
}

export type SimulatedBroker = ReturnType<typeof simulatedBroker>;
