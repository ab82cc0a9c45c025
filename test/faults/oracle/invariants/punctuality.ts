import { attemptsByDelivery, type Invariant, isBookkeeping, TERMINAL } from '../evidence.js';

const LATE_MS = 30_000;
const LATE_AFTER_A_FAULT_MS = 120_000;
/** Processes agree on the time of the database only so well when the machine is busy. */
const CLOCK_ALLOWANCE_MS = 50;

/** I4: nothing that has not ended is past its due time for long. */
export const nothingIsStuck: Invariant = ({ now, circumstances }) => {
  const { faultBegan, faultEnded, overloaded } = circumstances;
  const isExcused =
    faultBegan !== null && (faultEnded === null || now.at < faultEnded + LATE_AFTER_A_FAULT_MS);
  if (isExcused) return [];
  return [...now.rows.values()].flatMap(({ id, status, dueAt, endpointId }) => {
    if (TERMINAL.has(status) || overloaded.has(endpointId)) return [];
    if (dueAt === null) return [`${id} is ${status} and has no due time`];
    const late = now.at - dueAt;
    return late > LATE_MS ? [`${id} is ${status} and was due ${Math.round(late / 1_000)} s ago`] : [];
  });
};

/**
 * I5: between two POSTs lies at least the backoff, by the receiver's clock. Where a POST was repeated one cannot tell
 * which attempt it was; such deliveries are left out.
 */
export const nothingIsEarly: Invariant = ({ now, received, circumstances: { stepMs } }) => {
  const posts = Map.groupBy(received, ({ deliveryId }) => deliveryId);
  const wrong: string[] = [];
  for (const [deliveryId, attempts] of attemptsByDelivery(now)) {
    const made = attempts.filter((attempt) => !isBookkeeping(attempt));
    const arrivals = posts.get(deliveryId) ?? [];
    if (arrivals.length !== made.length) continue;
    for (const [index, { at }] of arrivals.entries()) {
      const previous = arrivals[index - 1];
      if (previous === undefined) continue;
      const gap = at - (previous.answer?.at ?? previous.at);
      const least = Math.min(index, 6) * stepMs - CLOCK_ALLOWANCE_MS;
      if (gap < least)
        wrong.push(`${deliveryId} was sent again after ${Math.round(gap)} ms, before ${least} ms`);
    }
  }
  return wrong;
};
