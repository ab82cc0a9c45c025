import type { Position } from '@postrider/shared/ports/position';
import type { OpenEntries } from './open-entries.js';
import { createPartitionWindow, type PartitionWindow } from './partition-window.js';

export interface TopicPartition {
  /** Without prefix. */
  readonly topic: string;
  readonly partition: number;
}

/** The position of a message in Kafka. */
export interface Source extends TopicPartition {
  readonly offset: number;
}

/** An offset that is tracked, in an epoch of its partition: in another one, it may be the offset of another record. */
export interface TrackedSource extends Source {
  readonly epoch: number;
}

/** Tracks which offsets of the assigned partitions are in progress, and the position of each partition. */
export interface OpenOffsets {
  /** Sets the assigned partition indices. Partitions that stay assigned keep their state. */
  assign(indices: readonly number[]): void;
  isAssigned(partition: number): boolean;
  /** The client reads a partition from its beginning, because the broker does not have the next offset. */
  positionLost(at: TopicPartition): void;
  /** 'new' and 'reset' offsets are to be tracked; 'reset' means that the partition restarted at a lower offset. */
  classify(source: Source): 'new' | 'duplicate' | 'reset' | 'unassigned';
  /** Tracks an offset. `key` is the key of its work, if it has one. */
  track(source: Source, key: string | null): TrackedSource;
  /** Does nothing if its partition was unassigned, or restarted at a lower offset, since it was tracked. */
  done(source: TrackedSource): void;
  /** Sets the listener that is called whenever positions may have moved. */
  onMoved(listener: () => void): void;
  /** The positions that moved since they were last committed. */
  positions(): readonly Position[];
  committed(positions: readonly Position[]): void;
  /** The oldest open offset of each partition, with the key of its work. One without a key is left out. */
  heads(): readonly { readonly source: TrackedSource; readonly key: string }[];
  /** The partitions that were read from, with their numbers of open offsets. */
  open(): readonly (TopicPartition & { readonly open: number })[];
  assigned(): readonly number[];
}

interface Partition extends TopicPartition {
  readonly window: PartitionWindow;
  epoch: number;
  lastCommitted: number | null;
}

/** @param createEntries creates the entries of a partition */
export function createOpenOffsets(createEntries: () => OpenEntries): OpenOffsets {
  const partitions = new Map<string, Partition>();
  let assigned = new Set<number>();
  /** The epoch of partitions that are read from now on. */
  let epoch = 0;
  let moved = () => {};
  const partitionOf = (at: TopicPartition): Partition => {
    const key = partitionKey(at);
    const existing = partitions.get(key);
    if (existing !== undefined) return existing;
    const window = createPartitionWindow(createEntries());
    const created = { ...pick(at), window, epoch, lastCommitted: null };
    partitions.set(key, created);
    return created;
  };

  return {
    assign(indices) {
      assigned = new Set(indices);
      for (const [key, { partition, window }] of partitions) {
        if (assigned.has(partition)) window.restart();
        else {
          partitions.delete(key);
          epoch += 1;
        }
      }
    },
    isAssigned: (partition) => assigned.has(partition),
    positionLost: (at) => partitions.get(partitionKey(at))?.window.positionLost(),
    classify(source) {
      if (!assigned.has(source.partition)) return 'unassigned';
      const entry = partitionOf(source);
      const kind = entry.window.classify(source.offset);
      if (kind !== 'reset') return kind;
      epoch += 1;
      entry.epoch = epoch;
      entry.lastCommitted = null;
      return kind;
    },
    track(source, key) {
      const entry = partitionOf(source);
      entry.window.track(source.offset, key);
      return { ...pick(source), offset: source.offset, epoch: entry.epoch };
    },
    done(source) {
      const entry = partitions.get(partitionKey(source));
      if (entry?.epoch === source.epoch) entry.window.done(source.offset);
      moved();
    },
    onMoved(listener) {
      moved = listener;
    },
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
        const entry = partitions.get(partitionKey(position));
        if (entry === undefined) continue;
        entry.lastCommitted = position.offset;
        entry.window.committed(position.offset);
      }
    },
    heads() {
      return [...partitions.values()].flatMap((entry) => {
        const head = entry.window.head();
        if (head === null || head.key === null) return [];
        return [{ source: { ...pick(entry), offset: head.offset, epoch: entry.epoch }, key: head.key }];
      });
    },
    open: () => [...partitions.values()].map((entry) => ({ ...pick(entry), open: entry.window.open() })),
    assigned: () => [...assigned],
  };
}

export function partitionKey({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

function pick({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition };
}
