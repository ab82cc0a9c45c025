import { DELIVERIES_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { createKeyedEntries } from '../../offsets/open-entries.js';
import {
  createOpenOffsets,
  type OpenOffsets,
  partitionKey,
  type TopicPartition,
} from '../../offsets/open-offsets.js';

export interface IntakeLimits {
  /** The delivery topic is paused at this many open offsets in this process. */
  readonly openDeliveries: number;
  /** Limit of open offsets of all retry topics in this process. A partition is paused at its share. */
  readonly openRetries: number;
  /** Maximum share of one partition. Retry partitions are ordered by due time, so more would not help. */
  readonly openRetriesEach: number;
}

/** The open offsets of the engine's topics, and which of their partitions to pause. */
export interface Intake extends Omit<OpenOffsets, 'open' | 'assigned'> {
  /** Returns the partitions not to fetch now. They pause at their limit and resume at half of it. */
  updatePauses(): readonly TopicPartition[];
  figures(): AssignedFigures;
}

export interface AssignedFigures {
  /** Assigned partition indices. */
  readonly assigned: number;
  readonly topics: readonly IntakeFigures[];
}

export interface IntakeFigures {
  readonly topic: string;
  /** Offsets in progress. */
  readonly open: number;
  readonly pausedPartitions: number;
}

export function createIntake(limits: IntakeLimits): Intake {
  const offsets = createOpenOffsets(createKeyedEntries);
  let deliveriesPaused = false;
  let pausedRetries = new Set<string>();

  return {
    ...offsets,
    updatePauses() {
      const assigned = offsets.assigned();
      const share = Math.ceil(limits.openRetries / (RETRY_TOPICS.length * Math.max(assigned.length, 1)));
      const most = Math.min(share, limits.openRetriesEach);
      const partitions = offsets.open();
      const open = partitions.reduce((sum, at) => (at.topic === DELIVERIES_TOPIC ? sum + at.open : sum), 0);
      deliveriesPaused = open > (deliveriesPaused ? limits.openDeliveries / 2 : limits.openDeliveries - 1);
      const retries = partitions
        .filter((at) => at.topic !== DELIVERIES_TOPIC)
        .filter((at) => at.open > (pausedRetries.has(partitionKey(at)) ? most / 2 : most - 1))
        .map(({ topic, partition }) => ({ topic, partition }));
      pausedRetries = new Set(retries.map(partitionKey));
      const deliveries = deliveriesPaused
        ? assigned.map((partition) => ({ topic: DELIVERIES_TOPIC, partition }))
        : [];
      return [...deliveries, ...retries];
    },
    figures() {
      const assigned = offsets.assigned().length;
      const byTopic = Map.groupBy(offsets.open(), ({ topic }) => topic);
      const topics = [...byTopic].map(([topic, partitions]) => {
        const open = partitions.reduce((sum, entry) => sum + entry.open, 0);
        const allOrNone = deliveriesPaused ? assigned : 0;
        const pausedAlone = partitions.filter((at) => pausedRetries.has(partitionKey(at))).length;
        return { topic, open, pausedPartitions: topic === DELIVERIES_TOPIC ? allOrNone : pausedAlone };
      });
      return { assigned, topics };
    },
  };
}
