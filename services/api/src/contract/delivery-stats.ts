import type { Timestamp } from './timestamp.js';

/**
 * Percentiles of the durations of HTTP attempts, in milliseconds. Each is an upper bound: at least that share of the attempts took no
 * longer, and the true percentile is up to 21 % shorter. Beyond 65 s the bound is 65,600.
 */
export interface LatencyPercentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** The counts of one step. Deliveries are counted by their last outcome, in the step in which it came. */
export interface DeliveryStatsItem {
  /** The beginning of the step (UTC). */
  start: Timestamp;
  /** @isInt */
  delivered: number;
  /**
   * Failed, and waiting for a retry.
   * @isInt
   */
  failed: number;
  /** @isInt */
  failedPermanent: number;
  /** @isInt */
  deadLettered: number;
  /**
   * Not sent, because the endpoint was disabled.
   * @isInt
   */
  held: number;
  /**
   * HTTP attempts.
   * @isInt
   */
  attempts: number;
  /** Null without attempts. */
  latencyMs: LatencyPercentiles | null;
}

/**
 * Counts of deliveries by the hour or the day.
 * @example {
 *   "from": "2026-03-01T09:30:00.000Z",
 *   "to": "2026-03-01T10:30:00.000Z",
 *   "step": "hour",
 *   "items": [
 *     {
 *       "start": "2026-03-01T09:00:00.000Z", "delivered": 118, "failed": 0, "failedPermanent": 1, "deadLettered": 0,
 *       "held": 0, "attempts": 121, "latencyMs": { "p50": 25.4, "p95": 102, "p99": 256 }
 *     },
 *     {
 *       "start": "2026-03-01T10:00:00.000Z", "delivered": 0, "failed": 0, "failedPermanent": 0, "deadLettered": 0,
 *       "held": 0, "attempts": 0, "latencyMs": null
 *     }
 *   ]
 * }
 */
export interface DeliveryStats {
  from: Timestamp;
  to: Timestamp;
  step: 'hour' | 'day';
  items: DeliveryStatsItem[];
}
