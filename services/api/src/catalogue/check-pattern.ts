import { isSafePattern } from 'redos-detector';

const MAX_LENGTH = 500;
/** Time limit for the analysis of one pattern, in milliseconds. */
const ANALYSIS_MS = 500;
const MAX_STEPS = 20_000;

const known = new Map<string, string | null>();

/** Says why a regular expression cannot be used in a schema; null if it can. */
export function problemWithPattern(pattern: string): string | null {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const problem = analyse(pattern);
  known.set(pattern, problem);
  return problem;
}

function analyse(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'is not a regular expression (ECMAScript, with the flag u)';
  }
  return isSafe(pattern)
    ? null
    : 'could take very long for some texts: avoid repetitions that match the same text in several ways';
}

function isSafe(pattern: string): boolean {
  try {
    return isSafePattern(pattern, { unicode: true, timeout: ANALYSIS_MS, maxSteps: MAX_STEPS }).safe;
  } catch {
    return false;
  }
}
