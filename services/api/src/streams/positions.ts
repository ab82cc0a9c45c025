import { type Positions, UNKNOWN } from '@postrider/shared/kafka/partition-reader';

/** The position in a partition that positions do not name: it was added after them, so everything in it was stored since. */
const BEGINNING = 0;

/** The positions in `from` that are before the ones in `to`. */
export function behind(from: Positions, to: Positions): Positions {
  const ofAll = [...to.keys()].map((partition) => [partition, from.get(partition) ?? BEGINNING] as const);
  return new Map(ofAll.filter(([partition, offset]) => offset < (to.get(partition) ?? offset)));
}

/** Adds the partitions that positions do not name. */
export function withAdded(positions: Positions, partitions: readonly number[]): Positions {
  const added = partitions.filter((partition) => !positions.has(partition));
  if (added.length === 0) return positions;
  return new Map([...positions, ...added.map((partition) => [partition, BEGINNING] as const)]);
}

/** The records between `from` and `to`. */
export function distance(from: Positions, to: Positions): number {
  return [...behind(from, to)].reduce((sum, [partition, at]) => sum + (to.get(partition) ?? at) - at, 0);
}

/** The further position of each partition that one of them names. */
export function furthest(one: Positions, other: Positions): Positions {
  const all = new Map(one);
  for (const [partition, offset] of other) all.set(partition, Math.max(offset, one.get(partition) ?? offset));
  return all;
}

/** The earliest position of each of these partitions. */
export function earliest(all: readonly Positions[], partitions: Iterable<number>): Positions {
  return new Map(
    [...partitions].map((partition) => {
      return [partition, Math.min(...all.map((one) => one.get(partition) ?? BEGINNING))];
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
