import { STOP_LIMIT_MS } from '@postrider/shared/runtime/lifecycle';
import type { Config } from './config.js';

/** The deadlines of an attempt: until its headers, and from then on. */
export type Deadlines = Pick<Config, 'DELIVERY_TIMEOUT' | 'BODY_TIMEOUT'>;

/** How much longer than its deadlines the recording of an attempt may take during a stop. */
const RECORDING_MS = 3_000;
/** How long everything else of a stop may take. */
const LEAVING_MS = 7_000;

/** How long an attempt may take from its start until it is recorded. */
export function attemptLimitMs({ DELIVERY_TIMEOUT, BODY_TIMEOUT }: Deadlines): number {
  return DELIVERY_TIMEOUT + BODY_TIMEOUT + RECORDING_MS;
}

/** How long a stop may take with these deadlines of attempts. A pod needs more than that. */
export function stopLimitMs(deadlines: Deadlines): number {
  return Math.max(STOP_LIMIT_MS, attemptLimitMs(deadlines) + LEAVING_MS);
}
