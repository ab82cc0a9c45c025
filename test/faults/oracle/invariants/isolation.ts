import type { Evidence, Invariant } from '../evidence.js';

/** A latency below this depends on the machine more than on the system. */
const NOISE_MS = 100;
/** A p99 of fewer deliveries is not meaningful. */
const MIN_DELIVERIES = 30;
const MAX_SLOWDOWN = 2;
/** The first events after the start are always slow. */
const WARM_UP_EVENTS = 20;
/** A POST sent this shortly before a check may have arrived during it. */
const BEFORE_CHECK_MS = 250;

/** I9, at the end: failing endpoints do not slow healthy ones down. */
export const healthyEndpointsStayFast: Invariant = (evidence) => {
  const { faultBegan, faultEnded, healthy } = evidence.conditions;
  if (healthy.size === 0 || faultBegan === null || faultEnded === null) return [];
  const before = latencies(evidence, WARM_UP_EVENTS, (sentAt) => sentAt < faultBegan);
  const during = latencies(evidence, 0, (sentAt) => sentAt >= faultBegan && sentAt < faultEnded);
  if (Math.min(before.length, during.length) < MIN_DELIVERIES)
    return [
      `too few deliveries to healthy endpoints: ${before.length} before, ${during.length} during the fault`,
    ];
  const [usual, slowed] = [p99(before), p99(during)];
  if (slowed <= Math.max(NOISE_MS, MAX_SLOWDOWN * usual)) return [];
  return [`the p99 of healthy endpoints rose from ${Math.round(usual)} to ${Math.round(slowed)} ms`];
};

/**
 * Milliseconds from the accepted call to the first POST, for healthy endpoints. Calls answered during a check are
 * skipped: the check blocks the receiver, which shares its process.
 */
function latencies(
  { events, now, received, checks, conditions: { healthy } }: Evidence,
  skipped: number,
  isIncluded: (sentAt: number) => boolean,
): number[] {
  const arrivals = new Map<string, number>();
  for (const { deliveryId, path, at } of received)
    if (healthy.has(path) && !arrivals.has(deliveryId)) arrivals.set(deliveryId, at);
  const isDuringCheck = (at: number) =>
    checks.some(({ from, to }) => at >= from - BEFORE_CHECK_MS && at <= to);
  const byToken = Map.groupBy(now.deliveries.values(), ({ tokenId }) => tokenId);
  return events
    .slice(skipped)
    .filter(({ sentAt, answeredAt }) => isIncluded(sentAt) && !isDuringCheck(answeredAt))
    .flatMap(({ tokenId, answeredAt }) =>
      (byToken.get(tokenId) ?? []).flatMap(({ id, replayedFrom }) => {
        const arrived = arrivals.get(id);
        return arrived === undefined || replayedFrom !== null ? [] : [arrived - answeredAt];
      }),
    );
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0;
}
