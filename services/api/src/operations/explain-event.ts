import type { Delivery, DeliverySummary } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { isEventType, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import { deliveryIdOf, timeOfId } from '@postrider/shared/domain/id';
import type { EventAtEndpoint, EventExplanation } from '../contract/event-explanation.js';
import type { PageRequest } from '../contract/page.js';
import { type EventFacts, explainAbsence } from '../domain/explain-absence.js';
import { explainDelivery, isDue } from '../domain/explain-delivery.js';
import { Refusal } from '../domain/refusal.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageById } from './read-page.js';

type Needs = Pick<Deps, 'deliveries' | 'endpoints' | 'unmatchedEvents' | 'sendingHolds' | 'clock'>;

/** The stored facts about an event. */
interface KnownEvent extends EventFacts {
  readonly occurredAt: string;
  /** The endpoint of a test event; null for all others. */
  readonly tested: Delivery | null;
}

/** Explains the outcome of an event at each endpoint. */
export function explainEvent(deps: Needs) {
  return async (
    { workspace: { id } }: Call,
    { eventId, ...request }: PageRequest & { eventId: string },
  ): Promise<EventExplanation> => {
    const time = timeOfId('event', eventId);
    if (time === null)
      throw new Refusal('EventNotFound', 'An event id is evt_ followed by 26 characters. Check the eventId.');
    const event = await findEvent(deps, id, { eventId, time });
    const page = await pageById<Endpoint, Endpoint>({
      list: `event ${eventId} ${id}`,
      request,
      read: (slice) =>
        event?.tested
          ? findTested(deps, id, event.tested)
          : deps.endpoints.listWithDeleted(id, { ...slice, endpointIds: null }),
      show: (endpoint) => endpoint,
    });
    return {
      eventId,
      eventType: event?.eventType ?? null,
      occurredAt: event?.occurredAt ?? null,
      items: await explainAll(deps, { workspaceId: id, eventId, event }, page.items),
      nextCursor: page.nextCursor,
    };
  };
}

async function findEvent(
  { deliveries, unmatchedEvents }: Needs,
  workspaceId: string,
  { eventId, time }: { readonly eventId: string; readonly time: Date },
): Promise<KnownEvent | null> {
  const delivery = await deliveries.oldestOf(workspaceId, eventId, null);
  if (delivery === null) {
    const unmatched = await unmatchedEvents.find(workspaceId, eventId);
    if (unmatched === null) return null;
    const { type: eventType, occurredAt } = unmatched;
    const moment = isEventType(eventType) ? occurredAt : time;
    return { eventType, occurredAt: occurredAt.toISOString(), moment, payload: null, tested: null };
  }
  const { eventType, payload } = delivery;
  const occurredAt = String(payload.occurredAt);
  const moment = isEventType(eventType) ? new Date(occurredAt) : time;
  const tested = eventType === TEST_EVENT_TYPE ? delivery : null;
  return { eventType, occurredAt, moment, payload, tested };
}

async function findTested({ endpoints }: Needs, workspaceId: string, { endpointId }: Delivery) {
  const endpoint = await endpoints.find(workspaceId, endpointId);
  return endpoint === null ? [] : [endpoint];
}

interface Explaining {
  readonly workspaceId: string;
  readonly eventId: string;
  readonly event: KnownEvent | null;
}

async function explainAll(
  { deliveries, sendingHolds, clock }: Needs,
  { workspaceId, eventId, event }: Explaining,
  endpoints: readonly Endpoint[],
): Promise<EventAtEndpoint[]> {
  const idOf = ({ id }: Endpoint) =>
    event === null ? null : (event.tested?.id ?? deliveryIdOf({ eventId, occurredAt: event.moment }, id));
  const ids = endpoints.flatMap((endpoint) => idOf(endpoint) ?? []);
  const replays = ids.length === 0 ? new Map<string, string>() : await deliveries.newestReplays(ids);
  const stored = [...ids, ...replays.values()];
  const found = stored.length === 0 ? [] : await deliveries.findSeveral(workspaceId, stored);
  const byId = new Map<string, DeliverySummary>(found.map((delivery) => [delivery.id, delivery]));
  const now = clock.now();
  const holds = found.some((delivery) => isDue(delivery, now)) ? await sendingHolds() : [];
  return endpoints.map((endpoint) => {
    const id = idOf(endpoint) ?? '';
    const delivery = byId.get(id);
    const replay = byId.get(replays.get(id) ?? '') ?? null;
    const explained =
      delivery === undefined
        ? explainAbsence(endpoint, event, replay)
        : explainDelivery(delivery, { endpoint, replay, holds, now });
    return {
      endpointId: endpoint.id,
      url: endpoint.url,
      ...explained,
      failureReason: delivery?.failureReason ?? null,
      deliveryId: delivery?.id ?? null,
    };
  });
}
