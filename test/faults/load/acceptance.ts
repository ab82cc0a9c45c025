import type { Fault } from '../fault.js';
import type { Violation } from '../oracle/check.js';
import type { Interval } from '../oracle/evidence.js';
import type { Call } from './generator.js';

/** Number of calls that were answered or timed out in an interval. */
export interface CallCounts {
  readonly all: number;
  readonly accepted: number;
}

export function countCalls(calls: readonly Call[], { from, to }: Interval): CallCounts {
  const answered = calls.filter(({ answeredAt }) => answeredAt >= from && answeredAt < to);
  return { all: answered.length, accepted: answered.filter(({ accepted }) => accepted).length };
}

/** Reports too few accepted calls: a fault without load shows nothing. */
export function checkAcceptance(
  { all, accepted }: CallCounts,
  { minAccepted = 0 }: Pick<Fault, 'minAccepted'>,
): readonly Violation[] {
  if (accepted >= Math.max(1, Math.ceil(all * minAccepted))) return [];
  return [{ invariant: 'the load', what: `only ${accepted} of ${all} calls during the fault were accepted` }];
}
