import type { Fault } from '../fault.js';
import type { Violation } from '../oracle/judge.js';
import type { Call } from './generator.js';

/** From when until when, in milliseconds. */
export interface Span {
  readonly began: number;
  readonly ended: number;
}

/** A fault that met no load says nothing about it. @returns what is wrong with what the api accepted meanwhile */
export function acceptance(
  calls: readonly Call[],
  { began, ended }: Span,
  { leastAccepted }: Pick<Fault, 'leastAccepted'>,
): readonly Violation[] {
  const meanwhile = calls.filter(({ answeredAt }) => answeredAt >= began && answeredAt < ended);
  const accepted = meanwhile.filter((call) => call.accepted).length;
  const wanted = leastAccepted === 0 ? 0 : Math.max(1, Math.ceil(meanwhile.length * (leastAccepted ?? 0)));
  if (accepted >= wanted) return [];
  const what = `${accepted} of ${meanwhile.length} calls that were answered during the fault were accepted: too few`;
  return [{ invariant: 'the load', what }];
}
