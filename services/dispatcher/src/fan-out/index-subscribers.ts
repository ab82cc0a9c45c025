import { type SubscribedEndpoint, subscriptionStarts } from '@postrider/shared/domain/endpoint';
import {
  type EventTypeName,
  type SubscribedType,
  subscriptionsMatching,
} from '@postrider/shared/domain/event-type';

/** A subscriber of an event type. */
export interface TypeSubscriber {
  readonly endpoint: SubscribedEndpoint;
  /** The start of the oldest of its subscriptions that match the type, with those that they replaced. */
  readonly since: Date;
}

/** @returns the subscribers of an event type, in their order */
export type SubscribersOf = (type: EventTypeName) => readonly TypeSubscriber[];

interface Entry extends TypeSubscriber {
  readonly position: number;
}

/**
 * Finds the subscribers of each event by its type, so that an event costs nothing for subscribers of other types. Considers
 * subscriptions to the given types only.
 */
export function indexSubscribers(
  subscribers: readonly SubscribedEndpoint[],
  types: readonly SubscribedType[],
): SubscribersOf {
  const byType = new Map<SubscribedType, Entry[]>(types.map((type) => [type, []]));
  for (const [position, endpoint] of subscribers.entries())
    for (const { eventType, since } of subscriptionStarts(endpoint.subscriptions))
      byType.get(eventType)?.push({ endpoint, since, position });
  return (type) => {
    const matching = subscriptionsMatching(type).flatMap((name) => {
      const entries = byType.get(name) ?? [];
      return entries.length === 0 ? [] : [entries];
    });
    return matching.length > 1 ? merge(matching.flat()) : (matching[0] ?? []);
  };
}

/** Keeps the oldest subscription of each subscriber. */
function merge(entries: Entry[]): readonly Entry[] {
  entries.sort((one, other) => one.position - other.position || startMs(one) - startMs(other));
  return entries.filter(({ position }, index) => position !== entries[index - 1]?.position);
}

/** A time that is damaged in the database counts as the oldest, so that planning with it fails for this subscriber alone. */
function startMs({ since }: Entry): number {
  return since instanceof Date ? since.getTime() : Number.NEGATIVE_INFINITY;
}
