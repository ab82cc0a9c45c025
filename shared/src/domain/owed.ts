import { disabledSince, endedPeriods } from './disabled-period.js';
import {
  type Subscriber,
  type Subscription,
  type SubscriptionStart,
  subscriptionStarts,
} from './endpoint.js';
import { type EventTypeName, subscriptionsMatching } from './event-type.js';

/** What an endpoint is owed for an event: a delivery, or one that is held in a disabled period; null for nothing. */
export type Owed = { readonly kind: 'delivery' } | { readonly kind: 'held'; readonly since: Date } | null;

interface Moment {
  readonly eventType: EventTypeName;
  readonly occurredAt: Date;
}

interface SubscribedMoment {
  /** The start of the subscription to the event's type. */
  readonly since: Date;
  readonly occurredAt: Date;
}

const DELIVERY: Owed = { kind: 'delivery' };

/**
 * How much older than the endpoint's subscription or re-enabling an event may be, in milliseconds: clocks differ, and an event
 * that follows the enabling must not be held, because held deliveries are sent only on request.
 */
const CLOCK_ALLOWANCE_MS = 5_000;

/**
 * Decides by the time of an event, whenever it is handled. Nothing is owed from before the subscription, or from before the
 * enabled time that preceded the oldest remembered disabled period: lost consumer offsets replay a week of events, which such
 * endpoints must not receive.
 */
export function owedOf(endpoint: Subscriber, { eventType, occurredAt }: Moment): Owed {
  const subscribed = subscriptionTo(endpoint.subscriptions, eventType);
  return subscribed && owedToSubscriber(endpoint, { since: subscribed.since, occurredAt });
}

/** Like `owedOf`, for an endpoint that subscribes to the event's type. */
export function owedToSubscriber(endpoint: Subscriber, { since, occurredAt }: SubscribedMoment): Owed {
  if (endpoint.deletedAt !== null || !isFrom(occurredAt, since)) return null;
  const now: Owed = endpoint.enabled ? DELIVERY : { kind: 'held', since: disabledSince(endpoint) };
  if (isFrom(occurredAt, endpoint.enabledSince)) return now;
  const period = endedPeriods(endpoint).find(({ enabledSince }) => isFrom(occurredAt, enabledSince));
  // After the end of its period nothing is known: a process of an older version forgot the next one.
  if (period === undefined || isFrom(occurredAt, period.enabledAt)) return null;
  return occurredAt < period.since ? now : { kind: 'held', since: period.since };
}

/** The oldest subscription that an event of this type matches, or that such a one replaced; null if there is none. */
export function subscriptionTo(
  subscriptions: readonly Subscription[],
  type: EventTypeName,
): SubscriptionStart | null {
  const names = subscriptionsMatching(type);
  const matching = subscriptionStarts(subscriptions).filter(({ eventType }) => names.includes(eventType));
  return matching.sort((one, other) => one.since.getTime() - other.since.getTime())[0] ?? null;
}

/** Whether an event is not from before a time; clocks differ by up to the allowance. */
export function isFrom(occurredAt: Date, since: Date): boolean {
  return occurredAt.getTime() >= since.getTime() - CLOCK_ALLOWANCE_MS;
}
