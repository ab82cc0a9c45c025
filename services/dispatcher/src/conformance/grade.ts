import { EXPECTED, type Probe, type ProbeResult } from '@postrider/shared/domain/conformance-check';
import { judge, type Outcome } from '@postrider/shared/domain/judge';
import type { Posted, Unsendable } from '../ports/poster.js';
import { adviceOn } from './advice.js';

/** The answer to a request of a probe, or why there is none. */
export type Answer = Pick<Posted, 'kind' | 'outcome' | 'durationMs'> | Unsendable;

/** Whether an outcome is the one that a conforming receiver causes. */
export function isExpected(probe: Probe, outcome: Outcome): boolean {
  const verdict = judge(outcome);
  if (EXPECTED[probe] === '2xx') return verdict.kind === 'delivered';
  // A status that is retried refuses nothing.
  if (outcome.kind !== 'answered' || verdict.kind !== 'permanent') return false;
  return outcome.httpStatus >= 400 && outcome.httpStatus <= 499;
}

/** The result of a probe from its last answer, which is its first unexpected one if there is one. */
export function grade(probe: Probe, answer: Answer): ProbeResult {
  const outcome = answer.kind === 'posted' ? answer.outcome : answer;
  const passed = isExpected(probe, outcome);
  return {
    probe,
    expected: EXPECTED[probe],
    got: gotOf(answer),
    passed,
    advice: passed ? null : adviceOn(probe, outcome),
  };
}

function gotOf(answer: Answer): ProbeResult['got'] {
  if (answer.kind !== 'posted' || answer.outcome.kind !== 'answered') return null;
  return { httpStatus: answer.outcome.httpStatus, durationMs: answer.durationMs };
}
