/** Counts of occurrences, by name. */
export type Counts = Readonly<Record<string, number>>;

export function sumOf(all: readonly Counts[]): Counts {
  const names = new Set(all.flatMap((counts) => Object.keys(counts)));
  return Object.fromEntries(
    [...names].map((name) => [name, all.reduce((sum, counts) => sum + (counts[name] ?? 0), 0)]),
  );
}

/** The counts between two moments, without zeros. */
export function differenceOf(after: Counts, before: Counts): Counts {
  const changes = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change > 0));
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
