import { type Positions, UNKNOWN } from '@postrider/shared/kafka/partition-reader';

/** The positions in `from` that are before the ones in `to`. */
export function behind(from: Positions, to: Positions): Positions {
  return new Map([...from].filter(([partition, offset]) => offset < (to.get(partition) ?? 0)));
}

/** The records between `from` and `to`. */
export function distance(from: Positions, to: Positions): number {
  return [...behind(from, to)].reduce((sum, [partition, at]) => sum + (to.get(partition) ?? at) - at, 0);
}

/** The further position of each partition of `one`. */
export function furthest(one: Positions, other: Positions): Positions {
  return new Map(
    [...one].map(([partition, offset]) => [partition, Math.max(offset, other.get(partition) ?? 0)]),
  );
}

/** The earliest position of each partition; for a partition that none of them names, the one in `otherwise`. */
export function earliest(all: readonly Positions[], otherwise: Positions): Positions {
  return new Map(
    [...otherwise].map(([partition, offset]) => {
      return [partition, Math.min(...all.map((one) => one.get(partition) ?? offset))];
    }),
  );
}

/** Whether a position in `from` is past the end of its partition. Unknown ends are not compared. */
export function isBeyond(from: Positions, ends: Positions): boolean {
  return [...from].some(([partition, offset]) => {
    const end = ends.get(partition) ?? 0;
    return end !== UNKNOWN && offset > end;
  });
}

/** Whether a position is unknown in `from` and not in `to`: the records between them are unknown. */
export function hasBegun(from: Positions, to: Positions): boolean {
  return [...behind(from, to).values()].includes(UNKNOWN);
}

/** Whether `positions` are not before `from` in any partition. */
export function isPast(positions: Positions, from: Positions): boolean {
  return [...from].every(([partition, offset]) => (positions.get(partition) ?? 0) >= offset);
}
