import type { ConformanceCheckId, EndpointId, WorkspaceId } from './id.js';

/** The requests of a check, in the order in which they are sent. */
export const PROBES = [
  'valid',
  'duplicate',
  'two_signatures',
  'forged',
  'stale',
  'missing_headers',
  'slow_body',
] as const;
export type Probe = (typeof PROBES)[number];

/** The answers that a conforming receiver gives. */
export const EXPECTED_ANSWERS = ['2xx', '4xx'] as const;
export type ExpectedAnswer = (typeof EXPECTED_ANSWERS)[number];

export const EXPECTED: Readonly<Record<Probe, ExpectedAnswer>> = {
  valid: '2xx',
  duplicate: '2xx',
  two_signatures: '2xx',
  forged: '4xx',
  stale: '4xx',
  missing_headers: '4xx',
  slow_body: '2xx',
};

const CHECK_STATUSES = ['running', 'passed', 'failed'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

export interface ProbeResult {
  readonly probe: Probe;
  readonly expected: ExpectedAnswer;
  /** Null if there was no response. */
  readonly got: { readonly httpStatus: number; readonly durationMs: number } | null;
  readonly passed: boolean;
  /** What to change; null if it passed. */
  readonly advice: string | null;
}

/** A test of how a receiver answers genuine, forged and unusual requests. */
export interface ConformanceCheck {
  readonly id: ConformanceCheckId;
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly traceId: string;
  readonly status: CheckStatus;
  /** In the order of the probes; those not sent yet have none. */
  readonly results: readonly ProbeResult[];
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** How long a check may run, in milliseconds. After that it is failed, also if no process is left to end it. */
export const CHECK_LIMIT_MS = 5 * 60_000;
/** How long checks are kept, in milliseconds: as long as deliveries. */
export const CHECK_KEPT_MS = 30 * 24 * 60 * 60_000;

type NewCheck = Pick<ConformanceCheck, 'id' | 'workspaceId' | 'endpointId' | 'traceId' | 'startedAt'>;

export function newCheck(facts: NewCheck): ConformanceCheck {
  return { ...facts, status: 'running', results: [], endedAt: null };
}

/** Adds the result of the next probe, and ends the check with the last one. */
export function addResult(check: ConformanceCheck, result: ProbeResult, at: Date): ConformanceCheck {
  const results = [...check.results, result];
  return results.length < PROBES.length ? { ...check, results } : end({ ...check, results }, at);
}

/** The probe that is sent next; null if all were sent. */
export function nextProbe({ results }: Pick<ConformanceCheck, 'results'>): Probe | null {
  return PROBES[results.length] ?? null;
}

/** Ends a check without sending its remaining probes. */
export function endEarly(check: ConformanceCheck, advice: string, at: Date): ConformanceCheck {
  const missing = PROBES.slice(check.results.length).map(
    (probe): ProbeResult => ({ probe, expected: EXPECTED[probe], got: null, passed: false, advice }),
  );
  return end({ ...check, results: [...check.results, ...missing] }, at);
}

/** The check at a moment: one that has exceeded its time limit has failed, whether or not a process has recorded that. */
export function atMoment(check: ConformanceCheck, now: Date): ConformanceCheck {
  const limit = new Date(check.startedAt.getTime() + CHECK_LIMIT_MS);
  if (check.status !== 'running' || now < limit) return check;
  return endEarly(check, NOT_SENT_IN_TIME, limit);
}

const NOT_SENT_IN_TIME =
  'Not sent: the check did not end within five minutes. Start another one; if it happens again, ask the operator ' +
  'whether the dispatcher is running.';

function end(check: ConformanceCheck, endedAt: Date): ConformanceCheck {
  return { ...check, status: check.results.every(({ passed }) => passed) ? 'passed' : 'failed', endedAt };
}
