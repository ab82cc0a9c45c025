import type { CheckStatus, ExpectedAnswer, Probe } from '@postrider/shared/domain/conformance-check';
import type { Timestamp } from './timestamp.js';

/**
 * A conformance check that was started.
 * @example { "checkId": "chk_01krzmb7g0q5w9n2x4c8v1j6th", "status": "running" }
 */
export interface StartedConformanceCheck {
  checkId: string;
  status: CheckStatus;
}

/** The response of a receiver to a probe. */
export interface ProbeAnswer {
  /** @isInt */
  httpStatus: number;
  /** @isInt */
  durationMs: number;
}

/** The result of one probe. */
export interface ProbeResult {
  /**
   * - `valid`: a genuine request
   * - `duplicate`: two genuine requests with the same `webhook-id`
   * - `two_signatures`: a wrong signature, then a genuine one
   * - `forged`: the signature belongs to another body
   * - `stale`: signed, with a timestamp of ten minutes ago
   * - `missing_headers`: without `webhook-signature`
   * - `slow_body`: a genuine request whose body arrives in two parts
   */
  probe: Probe;
  /** `2xx` for genuine requests, `4xx` for the others; 408 and 429 do not count as `4xx`, because they are retried. */
  expected: ExpectedAnswer;
  /** Null if there was no response. */
  got: ProbeAnswer | null;
  passed: boolean;
  /** What to change in the receiver; null if it passed. */
  advice: string | null;
}

/**
 * A test of how a receiver answers genuine, forged and unusual requests.
 * @example {
 *   "checkId": "chk_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "status": "failed",
 *   "startedAt": "2026-03-01T09:30:00.000Z",
 *   "endedAt": "2026-03-01T09:30:01.100Z",
 *   "results": [
 *     {
 *       "probe": "valid",
 *       "expected": "2xx",
 *       "got": { "httpStatus": 400, "durationMs": 12 },
 *       "passed": false,
 *       "advice": "The receiver refused a genuine request."
 *     }
 *   ]
 * }
 */
export interface ConformanceCheck {
  checkId: string;
  endpointId: string;
  status: CheckStatus;
  startedAt: Timestamp;
  endedAt: Timestamp | null;
  /** In the order in which the probes were sent; while the check is running, those sent so far. */
  results: ProbeResult[];
}
