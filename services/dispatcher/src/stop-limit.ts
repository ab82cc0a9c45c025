import { STOP_LIMIT_MS } from '@postrider/shared/runtime/lifecycle';
import type { Config } from './config.js';

/** The deadlines of an attempt: until its headers, and from then on. */
export type Deadlines = Pick<Config, 'DELIVERY_TIMEOUT' | 'BODY_TIMEOUT'>;

/** How long recording an attempt may take after its deadlines during a stop, in milliseconds. */
const RECORDING_MS = 3_000;
/** How long the rest of a stop may take, in milliseconds. */
const LEAVING_MS = 7_000;

/** Maximum time from the start of an attempt until it is recorded, in milliseconds. */
export function attemptLimitMs({ DELIVERY_TIMEOUT, BODY_TIMEOUT }: Deadlines): number {
  return DELIVERY_TIMEOUT + BODY_TIMEOUT + RECORDING_MS;
}

/** Maximum duration of a stop with these deadlines, in milliseconds. A pod needs more than that. */
export function stopLimitMs(deadlines: Deadlines): number {
  return Math.max(STOP_LIMIT_MS, attemptLimitMs(deadlines) + LEAVING_MS);
}
