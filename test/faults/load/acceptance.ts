import type { Fault } from '../fault.js';
import type { Violation } from '../oracle/judge.js';
import type { Call } from './generator.js';

/** From when until when, in milliseconds. */
export interface Span {
  readonly began: number;
  readonly ended: number;
}

/** Calls that were answered, or given up, in a span. */
export interface Answers {
  readonly all: number;
  readonly accepted: number;
}

export function answersIn(calls: readonly Call[], { began, ended }: Span): Answers {
  const meanwhile = calls.filter(({ answeredAt }) => answeredAt >= began && answeredAt < ended);
  return { all: meanwhile.length, accepted: meanwhile.filter(({ accepted }) => accepted).length };
}

/** A fault that met no load says nothing about it. @returns what is wrong with what the api accepted meanwhile */
export function acceptance(
  { all, accepted }: Answers,
  { leastAccepted }: Pick<Fault, 'leastAccepted'>,
): readonly Violation[] {
  const wanted = leastAccepted === 0 ? 0 : Math.max(1, Math.ceil(all * (leastAccepted ?? 0)));
  if (accepted >= wanted) return [];
  const what = `${accepted} of ${all} calls that were answered during the fault were accepted: too few`;
  return [{ invariant: 'the load', what }];
}
