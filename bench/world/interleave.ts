/** One item of group `group`, its `nth`. */
export interface Placed {
  readonly group: number;
  readonly nth: number;
}

/**
 * Mixes groups of different sizes evenly: wherever one looks in the result, each group has about its share. So load
 * that goes round meets the groups in turn and not one after the other.
 */
export function interleave(sizes: readonly number[]): Placed[] {
  const placed = sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, nth) => ({ group, nth, position: (nth + 0.5) / size })),
  );
  placed.sort((a, b) => a.position - b.position || a.group - b.group);
  return placed.map(({ group, nth }) => ({ group, nth }));
}
