import type { Position } from '../ports/position.js';

/** The handled but uncommitted offset of each partition of a topic. */
export interface HandledOffsets {
  /** Returns a function that records the next offset of a partition. It has no effect after `discard`. */
  recorder(): (partition: number, next: number) => void;
  moved(): readonly Position[];
  committed(positions: readonly Position[]): void;
  /** Discards all offsets after a rebalance: committing them could set back another member's partitions. */
  discard(): void;
  /** Discards the offset of a partition whose topic may have been recreated. */
  positionLost(partition: number): void;
}

export function createHandledOffsets(topic: string): HandledOffsets {
  let offsets = new Map<number, number>();
  return {
    recorder() {
      const current = offsets;
      return (partition, next) => void current.set(partition, next);
    },
    moved: () => [...offsets].map(([partition, offset]) => ({ topic, partition, offset })),
    committed(positions) {
      for (const { partition, offset } of positions) {
        if (offsets.get(partition) === offset) offsets.delete(partition);
      }
    },
    discard() {
      offsets = new Map();
    },
    positionLost: (partition) => void offsets.delete(partition),
  };
}
