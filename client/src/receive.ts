import { WebhookVerificationError } from 'standardwebhooks';
import type { EventData } from './custom-events.js';
import { type ReceivedDelivery, type ReceivedRequest, verify } from './verify.js';

/** Stores a delivery, once for each `deliveryId`. Replays and retries are deliveries, too. */
export type HandleDelivery<Custom extends EventData = Record<never, never>> = (
  delivery: ReceivedDelivery<Custom>,
) => Promise<void>;

/**
 * Verifies a request, passes its delivery to `handle`, and returns the status to respond with: 204, or 400 if the request is
 * not from Postrider.
 *
 * @throws the error of `handle`: respond with 500 then, so that the delivery is sent again
 */
export async function receive<Custom extends EventData = Record<never, never>>(
  request: ReceivedRequest,
  handle: HandleDelivery<Custom>,
): Promise<204 | 400> {
  let delivery: ReceivedDelivery<Custom>;
  try {
    delivery = verify<Custom>(request);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400;
    throw error;
  }
  await handle(delivery);
  return 204;
}
