import type { Evidence, Invariant, Received, Row } from '../evidence.js';

/**
 * I10: whatever is sent is the delivery that the database has: to its endpoint, with its event. Rows are there before
 * their POSTs.
 */
export const everyPostHasItsRow: Invariant = (evidence) =>
  evidence.received
    .filter(({ at }) => at <= evidence.now.at)
    .flatMap((post) => contradictions(post, evidence).map((what) => `a POST of ${post.deliveryId} ${what}`));

function contradictions(post: Received, { now, circumstances }: Evidence): string[] {
  const row = now.rows.get(post.deliveryId);
  if (row === undefined) return circumstances.retentionMs === null ? ['has no row'] : [];
  // An endpoint that was deleted goes once none of its deliveries is left.
  const path = now.endpoints.get(row.endpointId)?.path ?? post.path;
  return [
    ...(path === post.path ? [] : [`came to ${post.path}, its endpoint is ${path}`]),
    ...otherBody(post, row),
  ];
}

function otherBody({ said }: Received, { id, tokenId }: Row): string[] {
  if (said === null) return ['has a body that cannot be read'];
  const wrong: string[] = [];
  if (said.deliveryId !== id) wrong.push(`says that it is ${said.deliveryId}`);
  if (said.tokenId !== tokenId) wrong.push(`tells of ${said.tokenId}, its row of ${tokenId}`);
  return wrong;
}
