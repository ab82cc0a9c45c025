import { attemptsByDelivery, type Evidence, type Invariant, isBookkeeping } from '../evidence.js';

/** POSTs beyond the attempts that are stored. Only meaningful once nothing is in flight. */
export function repeatedPosts({ now, received }: Pick<Evidence, 'now' | 'received'>): number {
  const attempts = attemptsByDelivery(now);
  let repeated = 0;
  for (const [deliveryId, posts] of Map.groupBy(received, (post) => post.deliveryId)) {
    if (!now.rows.has(deliveryId)) continue;
    const made = (attempts.get(deliveryId) ?? []).filter((attempt) => !isBookkeeping(attempt)).length;
    repeated += Math.max(0, posts.length - made);
  }
  return repeated;
}

/** I8, to be judged at the end: a POST is repeated only where a process ended or lost its partitions in the middle of it. */
export const repeatsAreExplained: Invariant = (evidence) => {
  const { disruptions, inFlight } = evidence.circumstances;
  const repeated = repeatedPosts(evidence);
  const explained = disruptions * inFlight;
  return repeated <= explained
    ? []
    : [`${repeated} POSTs were repeated, ${explained} are explained by ${disruptions} disruptions`];
};
