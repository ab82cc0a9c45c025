import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import type { Consumer } from 'kafkajs';
import { partitionKey, type TopicPartition } from '../offsets/open-offsets.js';

/** Applies wanted pauses to a consumer. Pauses survive a rebalance but not a restart of the consumer. */
export interface PauseControl {
  /**
   * Pauses exactly these partitions. Does nothing if the array is the one that it applied last, which must not have been
   * changed, and nothing while the consumer is in no group: it reads nothing then.
   */
  apply(wanted: readonly TopicPartition[]): void;
  /** Resumes all assigned partitions after a (re)join. */
  joined(assigned: readonly TopicPartition[]): void;
  /** The consumer stopped after a failure, and refuses pauses until it has joined the group again. */
  stopped(): void;
}

export function createPauseControl(
  { pause, resume }: Pick<Consumer, 'pause' | 'resume'>,
  names: TopicNames,
): PauseControl {
  let paused = new Map<string, TopicPartition>();
  let last: readonly TopicPartition[] = [];
  let isInGroup = false;
  const byTopic = (some: readonly TopicPartition[]) =>
    [...Map.groupBy(some, ({ topic }) => topic)].map(([topic, group]) => ({
      topic: names.full(topic),
      partitions: group.map(({ partition }) => partition),
    }));
  return {
    apply(wanted) {
      if (!isInGroup || wanted === last || wanted.length + paused.size === 0) return;
      last = wanted;
      const next = new Map(wanted.map((one) => [partitionKey(one), one]));
      const add = wanted.filter((one) => !paused.has(partitionKey(one)));
      const remove = [...paused.values()].filter((one) => !next.has(partitionKey(one)));
      if (add.length > 0) pause(byTopic(add));
      if (remove.length > 0) resume(byTopic(remove));
      paused = next;
    },
    stopped() {
      isInGroup = false;
    },
    joined(assigned) {
      isInGroup = true;
      resume(byTopic(assigned));
      paused = new Map();
      last = [];
    },
  };
}
