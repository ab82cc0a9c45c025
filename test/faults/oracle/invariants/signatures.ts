import type { Invariant } from '../evidence.js';

/** I10: each POST verifies, and all POSTs of a delivery carry the same body. */
export const everyPostVerifies: Invariant = ({ received }) => {
  const bodies = new Map<string, string>();
  const wrong: string[] = [];
  for (const { deliveryId, verified, bodyHash } of received) {
    if (!verified) wrong.push(`a POST of ${deliveryId} does not verify`);
    const first = bodies.get(deliveryId);
    if (first === undefined) bodies.set(deliveryId, bodyHash);
    else if (first !== bodyHash) wrong.push(`the POSTs of ${deliveryId} differ in their bodies`);
  }
  return wrong;
};
