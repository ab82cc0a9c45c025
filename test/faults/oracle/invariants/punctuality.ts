import {
  attemptsByDelivery,
  type Conditions,
  type Evidence,
  type Invariant,
  isPost,
  type Received,
  TERMINAL,
} from '../evidence.js';
import type { AttemptRow } from '../snapshot.js';

const LATE_MS = 30_000;
/** The limit that applies from the start of the fault. */
const LATE_WITH_FAULT_MS = 120_000;
/** How far the processes' readings of the database's time differ on a busy machine. */
const CLOCK_TOLERANCE_MS = 50;
const LONGEST_BACKOFF_STEPS = 6;
/** Failure reasons of attempts that may not have reached a receiver. */
const MAY_NOT_ARRIVE: ReadonlySet<string | null> = new Set([
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
 * I4: an unfinished delivery is not overdue for long. During a fault the limit is higher; a fault that stops all
 * dispatchers stops the clock until it ends.
 */
export const nothingIsOverdue: Invariant = ({ now, conditions }) =>
  [...now.deliveries.values()].flatMap(({ id, status, dueAt, endpointId }) => {
    if (TERMINAL.has(status) || conditions.overloaded.has(endpointId)) return [];
    if (dueAt === null) return [`${id} is ${status} and has no due time`];
    if (now.at <= deadlineOf(dueAt, conditions)) return [];
    return [`${id} is ${status} and was due ${Math.round((now.at - dueAt) / 1_000)} s ago`];
  });

function deadlineOf(dueAt: number, { faultBegan, faultEnded, outage }: Conditions): number {
  if (faultBegan === null) return dueAt + LATE_MS;
  if (outage === null) return dueAt + LATE_WITH_FAULT_MS;
  return Math.max(dueAt, faultEnded ?? Number.POSITIVE_INFINITY) + LATE_WITH_FAULT_MS;
}

/**
 * I5: two POSTs are at least the backoff apart, by the receiver's clock. If a POST was repeated, or may not have
 * arrived, POSTs cannot be matched to attempts; then the first and the last are at least all backoffs between them apart.
 */
export const nothingIsEarly: Invariant = (evidence) => {
  const posts = Map.groupBy(evidence.received, ({ deliveryId }) => deliveryId);
  return [...attemptsByDelivery(evidence.now)].flatMap(([deliveryId, records]) => {
    const attempts = records.filter(isPost);
    const arrivals = (posts.get(deliveryId) ?? []).toSorted((a, b) => a.at - b.at);
    const isMatched =
      attempts.length === arrivals.length &&
      (evidence.conditions.disruptions.length === 0 || attempts.every(hasArrived));
    const wrong = (isMatched ? earlyPosts : earlyOverall)(attempts, arrivals, evidence);
    return wrong.map((what) => `${deliveryId} was sent again ${what}`);
  });
};

const hasArrived = ({ failureReason }: AttemptRow) => !MAY_NOT_ARRIVE.has(failureReason);

const backoffMs = (ordinal: number, { conditions }: Evidence) =>
  Math.min(ordinal, LONGEST_BACKOFF_STEPS) * conditions.stepMs - CLOCK_TOLERANCE_MS;

function earlyPosts(
  attempts: readonly AttemptRow[],
  arrivals: readonly Received[],
  evidence: Evidence,
): string[] {
  return arrivals.flatMap(({ at }, index) => {
    const previous = arrivals[index - 1];
    if (previous === undefined) return [];
    const gap = at - endOf(attempts[index - 1], previous, evidence);
    const least = backoffMs(index, evidence);
    return gap < least ? [`after ${Math.round(gap)} ms, before ${least} ms`] : [];
  });
}

/** A late receiver may read and answer a POST after its attempt timed out: the attempt had then ended before. */
function endOf(attempt: AttemptRow | undefined, { at, answer }: Received, { conditions }: Evidence): number {
  if (attempt?.failureReason !== 'timeout') return answer?.at ?? at;
  return Math.min(at, attempt.attemptedAt + conditions.answerTimeoutMs);
}

function earlyOverall(
  attempts: readonly AttemptRow[],
  arrivals: readonly Received[],
  evidence: Evidence,
): string[] {
  const [first, last] = [attempts.find(hasArrived), attempts.findLast(hasArrived)];
  const [from, to] = [arrivals[0], arrivals.at(-1)];
  if (first === undefined || last === undefined || from === undefined || to === undefined) return [];
  let least = 0;
  for (let ordinal = first.ordinal; ordinal < last.ordinal; ordinal += 1)
    least += backoffMs(ordinal, evidence);
  const took = to.at - from.at;
  return took < least ? [`to attempt ${last.ordinal} within ${Math.round(took)} ms, before ${least} ms`] : [];
}
