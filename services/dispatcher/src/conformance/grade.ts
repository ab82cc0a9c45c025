import { EXPECTED, type Probe, type ProbeResult } from '@postrider/shared/domain/conformance-check';
import type { Outcome } from '@postrider/shared/domain/judge';
import { adviceOn } from './advice.js';

/** The outcome of a request of a probe. */
export interface Answer {
  readonly outcome: Outcome;
  readonly durationMs: number | null;
}

/** Whether one answer is the one that a conforming receiver gives. */
export function isExpected(probe: Probe, { outcome }: Answer): boolean {
  if (outcome.kind !== 'answered') return false;
  const { httpStatus } = outcome;
  if (EXPECTED[probe] === '2xx') return httpStatus >= 200 && httpStatus <= 299;
  // Both are retried, so they refuse nothing.
  const isRetried = httpStatus === 408 || httpStatus === 429;
  return httpStatus >= 400 && httpStatus <= 499 && !isRetried;
}

/** The result of a probe from its last answer, which is its first unexpected one if there is one. */
export function grade(probe: Probe, answer: Answer): ProbeResult {
  const { outcome, durationMs } = answer;
  const passed = isExpected(probe, answer);
  return {
    probe,
    expected: EXPECTED[probe],
    got: outcome.kind === 'answered' ? { httpStatus: outcome.httpStatus, durationMs: durationMs ?? 0 } : null,
    passed,
    advice: passed ? null : adviceOn(probe, outcome),
  };
}
