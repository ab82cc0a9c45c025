import { STOP_LIMIT_MS } from '@postrider/shared/runtime/lifecycle';

/** How much longer than a POST's deadline the recording of its attempt may take during a stop. */
export const RECORDING_MS = 3_000;
/** How long everything else of a stop may take. */
const LEAVING_MS = 7_000;

/** How long a stop may take with this deadline of POSTs. A pod needs more than that. */
export function stopLimitMs(deliveryTimeoutMs: number): number {
  return Math.max(STOP_LIMIT_MS, deliveryTimeoutMs + RECORDING_MS + LEAVING_MS);
}
