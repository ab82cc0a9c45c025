import type { Promised } from '../account/reconcile.js';
import type { Population } from '../world/population.js';

/** How many deliveries were owed by what was published, promised or not. */
export function owedRows({ endpoints }: Pick<Population, 'endpoints'>, eventsOf: readonly number[]): number {
  return endpoints.reduce((sum, { workspace }) => sum + (eventsOf[workspace] ?? 0), 0);
}

/**
 * How many POSTs must come of what was published.
 *
 * @param eventsOf events published so far for each workspace, by its index
 */
export function promisedPosts(
  { endpoints }: Pick<Population, 'endpoints'>,
  promised: readonly Promised[],
  eventsOf: readonly number[],
): number {
  const attempts = new Map(promised.map((promise) => [promise.group, promise.attempts]));
  return endpoints.reduce(
    (sum, { group, workspace }) => sum + (attempts.get(group) ?? 0) * (eventsOf[workspace] ?? 0),
    0,
  );
}
