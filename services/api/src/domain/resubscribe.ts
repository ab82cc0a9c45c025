import {
  type Subscription,
  type SubscriptionStart,
  subscriptionStarts,
} from '@postrider/shared/domain/endpoint';
import { type SubscribedType, subscriptionsMatching } from '@postrider/shared/domain/event-type';

type Starts = ReadonlyMap<SubscribedType, Date>;

/** As long as the topic of events keeps them, 7 days and a segment of up to 7 days: nothing older is handled any more. */
const EARLIER_FOR_MS = 14 * 24 * 60 * 60_000;
/** As many as an endpoint may have subscriptions, so that the rows of endpoints stay bounded. */
const EARLIER_AT_MOST = 500;

/**
 * Replaces the subscriptions of an endpoint. An event belongs to the subscriptions of its moment, however late it is handled, if it
 * still matches one: a subscription starts when the oldest one did that matched all of it without interruption, otherwise now, and
 * it keeps the older ones that matched a part of it.
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
    replacedBy(starts, known, at).slice(0, EARLIER_AT_MOST),
    ({ replacement }) => replacement,
  );
  return [...starts].map(([eventType, since]) => {
    const replaced = earlier.get(eventType)?.map(({ start }) => start);
    return { eventType, since, ...(replaced && { earlier: replaced }) };
  });
}

interface Replaced {
  readonly start: SubscriptionStart;
  /** The one that matches all of it since the oldest time. */
  readonly replacement: SubscribedType;
}

/** The known subscriptions that are older than all others that match all of them, and may still be of use. */
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

/** The first of the oldest; null when none of them is subscribed to. */
function oldest(eventTypes: readonly SubscribedType[], starts: Starts): SubscriptionStart | null {
  const found = eventTypes.flatMap((eventType) => {
    const since = starts.get(eventType);
    return since === undefined ? [] : [{ eventType, since }];
  });
  return found.sort((one, other) => one.since.getTime() - other.since.getTime())[0] ?? null;
}
