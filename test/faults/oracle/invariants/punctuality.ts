import {
  type AttemptRow,
  attemptsByDelivery,
  type Circumstances,
  type Evidence,
  type Invariant,
  isBookkeeping,
  type Received,
  TERMINAL,
} from '../evidence.js';

const LATE_MS = 30_000;
/** Once a fault has begun. */
const LATE_WITH_A_FAULT_MS = 120_000;
/** Processes agree on the time of the database only so well when the machine is busy. */
const CLOCK_ALLOWANCE_MS = 50;
const LONGEST_BACKOFF_STEPS = 6;
/** Reasons of attempts of which a receiver need not have heard anything. */
const UNHEARD: ReadonlySet<string | null> = new Set([
  'timeout',
  'connection_refused',
  'connection_reset',
  'dns',
  'tls',
  'network',
  'invalid_url',
  'blocked_address',
]);

/**
 * I4: nothing that has not ended is past its due time for long. A fault that leaves somebody to go on excuses little;
 * one that stops everything excuses what comes due while it lasts.
 */
export const nothingIsStuck: Invariant = ({ now, circumstances }) =>
  [...now.rows.values()].flatMap(({ id, status, dueAt, endpointId }) => {
    if (TERMINAL.has(status) || circumstances.overloaded.has(endpointId)) return [];
    if (dueAt === null) return [`${id} is ${status} and has no due time`];
    return now.at > latest(dueAt, circumstances)
      ? [`${id} is ${status} and was due ${Math.round((now.at - dueAt) / 1_000)} s ago`]
      : [];
  });

/** Until when what is due then has to be done. */
function latest(dueAt: number, { faultBegan, faultEnded, outage }: Circumstances): number {
  if (faultBegan === null) return dueAt + LATE_MS;
  if (outage === null) return dueAt + LATE_WITH_A_FAULT_MS;
  return Math.max(dueAt, faultEnded ?? Number.POSITIVE_INFINITY) + LATE_WITH_A_FAULT_MS;
}

/**
 * I5: between two POSTs lies at least the backoff, by the receiver's clock. Where a POST was repeated, or may not have
 * arrived, one cannot tell which attempt it was; but between the first and the last that were answered lie all the
 * backoffs between them.
 */
export const nothingIsEarly: Invariant = (evidence) => {
  const posts = Map.groupBy(evidence.received, ({ deliveryId }) => deliveryId);
  return [...attemptsByDelivery(evidence.now)].flatMap(([deliveryId, attempts]) => {
    const made = attempts.filter((attempt) => !isBookkeeping(attempt));
    const arrivals = (posts.get(deliveryId) ?? []).toSorted((a, b) => a.at - b.at);
    const wrong = areTheSame(made, arrivals, evidence)
      ? earlyOne(arrivals, evidence)
      : earlyOverall(made, arrivals, evidence);
    return wrong.map((what) => `${deliveryId} was sent again ${what}`);
  });
};

function areTheSame(
  made: readonly AttemptRow[],
  arrivals: readonly Received[],
  { circumstances }: Evidence,
): boolean {
  if (made.length !== arrivals.length) return false;
  return circumstances.disruptions.length === 0 || made.every(isHeard);
}

const isHeard = ({ failureReason }: AttemptRow) => !UNHEARD.has(failureReason);

function backoffMs(ordinal: number, { circumstances }: Evidence): number {
  return Math.min(ordinal, LONGEST_BACKOFF_STEPS) * circumstances.stepMs - CLOCK_ALLOWANCE_MS;
}

function earlyOne(arrivals: readonly Received[], evidence: Evidence): string[] {
  return arrivals.flatMap(({ at }, index) => {
    const previous = arrivals[index - 1];
    if (previous === undefined) return [];
    const gap = at - (previous.answer?.at ?? previous.at);
    const least = backoffMs(index, evidence);
    return gap < least ? [`after ${Math.round(gap)} ms, before ${least} ms`] : [];
  });
}

function earlyOverall(
  made: readonly AttemptRow[],
  arrivals: readonly Received[],
  evidence: Evidence,
): string[] {
  const [first, last] = [made.find(isHeard), made.findLast(isHeard)];
  const [from, to] = [arrivals[0], arrivals.at(-1)];
  if (first === undefined || last === undefined || from === undefined || to === undefined) return [];
  let least = 0;
  for (let ordinal = first.ordinal; ordinal < last.ordinal; ordinal += 1)
    least += backoffMs(ordinal, evidence);
  const took = to.at - from.at;
  return took < least ? [`to attempt ${last.ordinal} within ${Math.round(took)} ms, before ${least} ms`] : [];
}
