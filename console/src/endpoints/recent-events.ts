import type { components } from '@postrider/client';
import { subscriptionsMatching, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';

type Delivery = components['schemas']['Delivery'];

/** The events of deliveries that an endpoint with these subscriptions receives, each once. Test events are not filtered. */
export function subscribedEvents(
  deliveries: readonly Delivery[],
  eventTypes: readonly string[],
): readonly Delivery[] {
  const events = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    const { eventId, eventType } = delivery;
    const isSubscribed = subscriptionsMatching(eventType).some((name) => eventTypes.includes(name));
    if (eventId !== null && eventType !== TEST_EVENT_TYPE && isSubscribed && !events.has(eventId))
      events.set(eventId, delivery);
  }
  return [...events.values()];
}
