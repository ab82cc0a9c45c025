/** Changes the count of a key; keys with a count of 0 are removed. */
export function countByKey(counts: Map<string, number>, key: string, by: number): void {
  const value = (counts.get(key) ?? 0) + by;
  if (value === 0) counts.delete(key);
  else counts.set(key, value);
}
