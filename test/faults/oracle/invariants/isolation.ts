import type { Evidence, Invariant } from '../evidence.js';

/** Below this a latency says more about the machine than about the system, in milliseconds. */
const NOISE_MS = 100;
/** Fewer deliveries than this say nothing of a p99. */
const LEAST = 30;
const MOST_TIMES_AS_SLOW = 2;
/** Before the first events are through, everything is slow. */
const WARM_UP_EVENTS = 20;

/** What was sent so shortly before a look may have arrived during it, in milliseconds. */
const BEFORE_A_LOOK_MS = 250;

/** I9, to be judged at the end: an ill endpoint does not slow down a healthy one. */
export const illnessDoesNotSpread: Invariant = (evidence) => {
  const { faultBegan, faultEnded, healthy } = evidence.circumstances;
  if (healthy.size === 0 || faultBegan === null || faultEnded === null) return [];
  const calm = latencies(evidence, (sentAt) => sentAt < faultBegan, WARM_UP_EVENTS);
  const during = latencies(evidence, (sentAt) => sentAt >= faultBegan && sentAt < faultEnded, 0);
  const least = Math.min(calm.length, during.length);
  if (least < LEAST)
    return [
      `${calm.length} deliveries to healthy endpoints before the fault and ${during.length} during it say nothing`,
    ];
  const [usual, ill] = [p99(calm), p99(during)];
  const limit = Math.max(NOISE_MS, MOST_TIMES_AS_SLOW * usual);
  return ill <= limit
    ? []
    : [
        `healthy endpoints' p99 was ${Math.round(ill)} ms during the fault and ${Math.round(usual)} ms before it`,
      ];
};

/**
 * From the accepted call to the first POST, for healthy endpoints, in milliseconds. What was sent while the oracle
 * looked is left out: the receiver, which is in the same process, may have heard of it late.
 */
function latencies(
  { events, now, received, looks, circumstances: { healthy } }: Evidence,
  isMeant: (sentAt: number) => boolean,
  skipped: number,
): number[] {
  const arrivals = new Map<string, number>();
  for (const { deliveryId, path, at } of received)
    if (healthy.has(path) && !arrivals.has(deliveryId)) arrivals.set(deliveryId, at);
  const isDuringLook = (at: number) =>
    looks.some(({ from, to }) => at >= from - BEFORE_A_LOOK_MS && at <= to);
  const byToken = Map.groupBy(now.rows.values(), ({ tokenId }) => tokenId);
  return events
    .slice(skipped)
    .filter(({ sentAt, answeredAt }) => isMeant(sentAt) && !isDuringLook(answeredAt))
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
