import type { Evidence } from './evidence.js';
import { judgeFinally, judgeNow } from './judge.js';

const named = (violations: readonly { readonly invariant: string }[]) => [
  ...new Set(violations.map(({ invariant }) => invariant)),
];

/** The invariants that do not hold when all has come to an end. */
export const broken = (evidence: Evidence): readonly string[] => named(judgeFinally(evidence));

/** The invariants that do not hold while the system works. */
export const brokenNow = (evidence: Evidence): readonly string[] => named(judgeNow(evidence));
