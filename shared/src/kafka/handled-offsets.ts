import type { Position } from '../ports/position.js';

/** How far each partition of a topic was handled and not committed yet. */
export interface HandledOffsets {
  /** Takes notes, the next offset of a partition each, for as long as nothing is forgotten. */
  notes(): (partition: number, next: number) => void;
  moved(): readonly Position[];
  committed(positions: readonly Position[]): void;
  /** The group has changed: what was handled before may be another member's by now, and would set it back. */
  forget(): void;
}

export function createHandledOffsets(topic: string): HandledOffsets {
  let offsets = new Map<number, number>();
  return {
    notes() {
      const current = offsets;
      return (partition, next) => void current.set(partition, next);
    },
    moved: () => [...offsets].map(([partition, offset]) => ({ topic, partition, offset })),
    committed(positions) {
      for (const { partition, offset } of positions) {
        if (offsets.get(partition) === offset) offsets.delete(partition);
      }
    },
    forget() {
      offsets = new Map();
    },
  };
}
