import { PROBLEM_KINDS, type Problem } from '../contract/problem.js';
import type { Refusal } from '../domain/refusal.js';

/** A refusal as the wire shows it (RFC 9457). */
export function problemOf({ tag, detail, errors }: Refusal, traceId: string): Problem {
  const { status, title } = PROBLEM_KINDS[tag];
  const mistakes = errors.length === 0 ? {} : { errors: [...errors] };
  return { type: `urn:postrider:problem:${tag}`, title, status, detail, tag, traceId, ...mistakes };
}
