import {
  type Subscription,
  type SubscriptionStart,
  subscriptionStarts,
} from '@postrider/shared/domain/endpoint';
import { type SubscribedType, subscriptionsMatching } from '@postrider/shared/domain/event-type';

type Starts = ReadonlyMap<SubscribedType, Date>;

/** How long replaced subscriptions are kept, in milliseconds: events are kept for 7 days plus a segment of up to 7 days. */
const EARLIER_FOR_MS = 14 * 24 * 60 * 60_000;
/** Maximum number of replaced subscriptions, as of current ones, so that the rows of endpoints stay bounded. */
const MAX_EARLIER = 500;

/**
 * Replaces the subscriptions of an endpoint. An event that still matches one belongs to the subscriptions at its time, however
 * late it is handled. So a subscription starts when the oldest one that has matched all of it without interruption did, or else
 * now, and keeps the older ones that matched a part of it.
 */
export function resubscribe(
  before: readonly Subscription[],
  eventTypes: readonly SubscribedType[],
  at: Date,
): readonly Subscription[] {
  const known = oldestStarts(subscriptionStarts(before));
  const starts = new Map(
    eventTypes.map((eventType) => [eventType, oldest(subscriptionsMatching(eventType), known)?.since ?? at]),
  );
  const earlier = Map.groupBy(
    replacedBy(starts, known, at).slice(0, MAX_EARLIER),
    ({ replacement }) => replacement,
  );
  return [...starts].map(([eventType, since]) => {
    const replaced = earlier.get(eventType)?.map(({ start }) => start);
    return { eventType, since, ...(replaced && { earlier: replaced }) };
  });
}

interface Replaced {
  readonly start: SubscriptionStart;
  /** The new subscription that matches all of it and is the oldest one to do so. */
  readonly replacement: SubscribedType;
}

/** Known subscriptions that are older than every other that matches all of them, and that late events may still need. */
function replacedBy(starts: Starts, known: Starts, at: Date): readonly Replaced[] {
  return [...known].flatMap(([eventType, since]) => {
    const [, ...wider] = subscriptionsMatching(eventType);
    const replacement = oldest([eventType, ...wider], starts);
    if (replacement === null || replacement.since <= since) return [];
    if (at.getTime() - replacement.since.getTime() > EARLIER_FOR_MS) return [];
    const isNeeded = wider.every((other) => other === eventType || (known.get(other) ?? at) > since);
    return isNeeded ? [{ start: { eventType, since }, replacement: replacement.eventType }] : [];
  });
}

function oldestStarts(all: readonly SubscriptionStart[]): Starts {
  const starts = new Map<SubscribedType, Date>();
  for (const { eventType, since } of all) {
    const other = starts.get(eventType);
    if (other === undefined || since < other) starts.set(eventType, since);
  }
  return starts;
}

/** The one with the earliest start; null if none of them is subscribed to. */
function oldest(eventTypes: readonly SubscribedType[], starts: Starts): SubscriptionStart | null {
  const found = eventTypes.flatMap((eventType) => {
    const since = starts.get(eventType);
    return since === undefined ? [] : [{ eventType, since }];
  });
  return found.sort((one, other) => one.since.getTime() - other.since.getTime())[0] ?? null;
}
