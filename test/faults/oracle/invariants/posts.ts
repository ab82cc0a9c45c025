import type { Evidence, Invariant, Received } from '../evidence.js';

/** I10: each POST verifies, and all POSTs of a delivery have the same body. */
export const postsVerify: Invariant = ({ received }) => {
  const bodies = new Map<string, string>();
  const wrong: string[] = [];
  for (const { deliveryId, verified, bodyHash } of received) {
    if (!verified) wrong.push(`a POST of ${deliveryId} does not verify`);
    const first = bodies.get(deliveryId) ?? bodyHash;
    bodies.set(deliveryId, first);
    if (first !== bodyHash) wrong.push(`the POSTs of ${deliveryId} differ in their bodies`);
  }
  return wrong;
};

/**
 * A row that two dispatchers store at the same time may be read and sent by one of them before the write of the other is
 * committed by a majority, which the snapshot requires.
 */
const COMMITTED_WITHIN_MS = 2_000;

/** I10: a POST matches the stored delivery, which is written first: its endpoint and its event. */
export const postsMatchTheirDelivery: Invariant = (evidence) =>
  evidence.received
    .filter(({ at }) => at <= evidence.now.at - COMMITTED_WITHIN_MS)
    .flatMap((post) => mismatches(post, evidence).map((what) => `a POST of ${post.deliveryId} ${what}`));

function mismatches({ deliveryId, path, content }: Received, { now, conditions }: Evidence): string[] {
  const row = now.deliveries.get(deliveryId);
  if (row === undefined) return conditions.retentionMs === null ? ['has no stored delivery'] : [];
  const wrong: string[] = [];
  // A deleted endpoint is removed with the last of its deliveries.
  const expectedPath = now.endpoints.get(row.endpointId)?.path ?? path;
  if (path !== expectedPath) wrong.push(`arrived at ${path}, its endpoint is ${expectedPath}`);
  if (content === null) return [...wrong, 'has an unreadable body'];
  if (content.deliveryId !== row.id) wrong.push(`contains the delivery id ${content.deliveryId}`);
  if (content.tokenId !== row.tokenId)
    wrong.push(`contains the token ${content.tokenId}, not ${row.tokenId}`);
  return wrong;
}
