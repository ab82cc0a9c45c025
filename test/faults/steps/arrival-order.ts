/**
 * The maximum number of earlier items that were still missing when a later one arrived.
 *
 * @param places the places of the arrived items in their order, from 0 on, each once
 */
export function mostMissing(places: readonly number[]): number {
  const missing = new Set<number>();
  let next = 0;
  let most = 0;
  for (const place of places) {
    for (; next < place; next += 1) missing.add(next);
    if (!missing.delete(place)) next = place + 1;
    most = Math.max(most, missing.size);
  }
  return most;
}
