import type { Position } from '@postrider/shared/ports/position';
import { DELIVERIES_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import type { Source } from './job.js';
import { createPartitionWindow, type PartitionWindow } from './partition-window.js';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface IntakeLimits {
  /** Open offsets of the delivery topic in this process at which it is paused. */
  readonly openDeliveries: number;
  /** Open offsets of the retry topics in this process. A partition is paused at its share of them. */
  readonly openRetries: number;
  /** Upper bound of a share. Retry partitions are ordered by due time, so more would not help. */
  readonly openRetriesEach: number;
}

/** Tracks which offsets are in progress, the position of each partition, and which partitions to pause. */
export interface Intake {
  /** Sets the assigned partition indices. Partitions that stay assigned keep their state. */
  assign(indices: readonly number[]): void;
  isAssigned(partition: number): boolean;
  /** 'new' and 'reset' offsets are to be tracked; 'reset' means that the partition restarted at a lower offset. */
  classify(source: Source): 'new' | 'duplicate' | 'reset' | 'unassigned';
  /** Tracks an offset. `key` is the key of its job. */
  track(source: Source, key: string): void;
  done(source: Source): void;
  /** The positions that moved since they were last committed. */
  positions(): readonly Position[];
  committed(positions: readonly Position[]): void;
  /** The partitions not to fetch now: paused at their limit, resumed at half of it. */
  paused(): readonly TopicPartition[];
  /** The oldest open offset of each partition, with the key of its job. */
  heads(): readonly { readonly source: Source; readonly key: string }[];
  figures(): { readonly assigned: number; readonly topics: readonly IntakeFigures[] };
}

export interface IntakeFigures {
  readonly topic: string;
  /** Offsets in progress. */
  readonly open: number;
  readonly pausedPartitions: number;
}

interface Partition extends TopicPartition {
  readonly window: PartitionWindow;
  lastCommitted: number | null;
  paused: boolean;
}

export function createIntake(limits: IntakeLimits): Intake {
  const partitions = new Map<string, Partition>();
  let assigned = new Set<number>();
  let deliveriesPaused = false;
  const keyOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;
  const partitionOf = (at: TopicPartition): Partition => {
    const key = keyOf(at);
    const existing = partitions.get(key);
    if (existing !== undefined) return existing;
    const created = { ...pick(at), window: createPartitionWindow(), lastCommitted: null, paused: false };
    partitions.set(key, created);
    return created;
  };
  const openDeliveries = () => {
    let open = 0;
    for (const { topic, window } of partitions.values())
      if (topic === DELIVERIES_TOPIC) open += window.open();
    return open;
  };

  return {
    assign(indices) {
      assigned = new Set(indices);
      for (const [key, { partition, window }] of partitions) {
        if (assigned.has(partition)) window.restart();
        else partitions.delete(key);
      }
    },
    isAssigned: (partition) => assigned.has(partition),
    classify(source) {
      if (!assigned.has(source.partition)) return 'unassigned';
      const entry = partitionOf(source);
      const kind = entry.window.classify(source.offset);
      if (kind === 'reset') entry.lastCommitted = null;
      return kind;
    },
    track: (source, key) => partitionOf(source).window.track(source.offset, key),
    done: (source) => partitions.get(keyOf(source))?.window.done(source.offset),
    positions() {
      const moved: Position[] = [];
      for (const entry of partitions.values()) {
        const offset = entry.window.position();
        if (offset !== null && offset !== entry.lastCommitted) moved.push({ ...pick(entry), offset });
      }
      return moved;
    },
    committed(positions) {
      for (const position of positions) {
        const entry = partitions.get(keyOf(position));
        if (entry === undefined) continue;
        entry.lastCommitted = position.offset;
        entry.window.committed(position.offset);
      }
    },
    paused() {
      const share = Math.ceil(limits.openRetries / (RETRY_TOPICS.length * Math.max(assigned.size, 1)));
      const retries = Math.min(share, limits.openRetriesEach);
      const open = openDeliveries();
      deliveriesPaused = open > (deliveriesPaused ? limits.openDeliveries / 2 : limits.openDeliveries - 1);
      for (const entry of partitions.values()) {
        const limit = entry.paused ? retries / 2 : retries - 1;
        entry.paused = entry.topic !== DELIVERIES_TOPIC && entry.window.open() > limit;
      }
      const deliveries = deliveriesPaused
        ? [...assigned].map((partition) => ({ topic: DELIVERIES_TOPIC, partition }))
        : [];
      return [...deliveries, ...[...partitions.values()].filter((entry) => entry.paused).map(pick)];
    },
    heads() {
      return [...partitions.values()].flatMap((entry) => {
        const head = entry.window.head();
        return head === null ? [] : [{ source: { ...pick(entry), offset: head.offset }, key: head.key }];
      });
    },
    figures() {
      const byTopic = Map.groupBy(partitions.values(), ({ topic }) => topic);
      const topics = [...byTopic].map(([topic, entries]) => {
        const open = entries.reduce((sum, { window }) => sum + window.open(), 0);
        const allOrNone = deliveriesPaused ? assigned.size : 0;
        const pausedAlone = entries.filter(({ paused }) => paused).length;
        return { topic, open, pausedPartitions: topic === DELIVERIES_TOPIC ? allOrNone : pausedAlone };
      });
      return { assigned: assigned.size, topics };
    },
  };
}

function pick({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition };
}
