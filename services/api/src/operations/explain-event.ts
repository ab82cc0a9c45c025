import type { Delivery, DeliverySummary } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { isEventType, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import { deliveryIdOf, timeOfId } from '@postrider/shared/domain/id';
import { readDateTime } from '@postrider/shared/domain/read-date-time';
import type { EventAtEndpoint, EventExplanation } from '../contract/event-explanation.js';
import type { PageRequest } from '../contract/page.js';
import { type Absence, type EventFacts, explainAbsence } from '../domain/explain-absence.js';
import { type Explained, explainDelivery, isDue } from '../domain/explain-delivery.js';
import { createPayloadComparison, type PayloadComparison } from '../domain/payload-comparison.js';
import { Refusal } from '../domain/refusal.js';
import type { BoundedRows } from '../ports/reads.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageById } from './read-page.js';

type Needs = Pick<
  Deps,
  'deliveries' | 'endpoints' | 'unmatchedEvents' | 'sendingHolds' | 'clock' | 'nextTurn'
>;

/** A page ends after so many checks of filters, some 40 ms, and its next turn of the event loop comes after a quarter of them. */
const MAX_CHECKS = 1_000_000;
const CHECKS_OF_A_TURN = MAX_CHECKS / 4;
/** Maximum number of replays that are followed, each one of the one before: a tenant may make any number, and each is a query. */
const MAX_FOLLOWED = 20;

/** The stored facts about an event. */
interface KnownEvent extends EventFacts {
  /** Null if a damaged row does not have it. */
  readonly occurredAt: string | null;
  readonly payload: PayloadComparison | null;
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
    const page = await pageById<Explanation, EventAtEndpoint>({
      list: `event ${eventId} ${id}`,
      request,
      read: async (slice) => {
        const endpoints = event?.tested
          ? await findTested(deps, id, event.tested)
          : await deps.endpoints.listWithDeleted(id, { ...slice, endpointIds: null });
        return explainAll(deps, { workspaceId: id, eventId, event }, endpoints);
      },
      show: ({ explained }) => explained,
    });
    return {
      eventId,
      eventType: event?.eventType ?? null,
      occurredAt: event?.occurredAt ?? null,
      ...page,
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
  const occurredAt = readDateTime(payload.occurredAt);
  const tested = eventType === TEST_EVENT_TYPE ? delivery : null;
  return {
    eventType,
    occurredAt: occurredAt?.toISOString() ?? null,
    moment: isEventType(eventType) && occurredAt !== null ? occurredAt : time,
    payload: createPayloadComparison(payload),
    tested,
  };
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

/** The outcome at the endpoint with this id. */
interface Explanation {
  readonly id: string;
  readonly explained: EventAtEndpoint;
}

async function explainAll(
  deps: Needs,
  explaining: Explaining,
  endpoints: readonly Endpoint[],
): Promise<BoundedRows<Explanation, string>> {
  const explain = await readOutcomes(deps, explaining, endpoints);
  const checks = () => explaining.event?.payload?.checks() ?? 0;
  const rows: Explanation[] = [];
  let checksBefore = 0;
  for (const endpoint of endpoints) {
    if (checks() >= MAX_CHECKS) return { rows, readTo: rows.at(-1)?.id ?? null };
    if (checks() - checksBefore >= CHECKS_OF_A_TURN) {
      await deps.nextTurn();
      checksBefore = checks();
    }
    rows.push({ id: endpoint.id, explained: explain(endpoint) });
  }
  return { rows, readTo: null };
}

/** Reads what is stored of the event at the endpoints. @returns explains the outcome at each */
async function readOutcomes(
  { deliveries, sendingHolds, clock }: Needs,
  { workspaceId, eventId, event }: Explaining,
  endpoints: readonly Endpoint[],
): Promise<(endpoint: Endpoint) => EventAtEndpoint> {
  const idOf = ({ id }: Endpoint) =>
    event === null ? null : (event.tested?.id ?? deliveryIdOf({ eventId, occurredAt: event.moment }, id));
  const ids = endpoints.flatMap((endpoint) => idOf(endpoint) ?? []);
  const replays = await lastReplays(deliveries, ids);
  const stored = [...ids, ...replays.values()];
  const found = stored.length === 0 ? [] : await deliveries.findSeveral(workspaceId, stored);
  const byId = new Map<string, DeliverySummary>(found.map((delivery) => [delivery.id, delivery]));
  const now = clock.now();
  const holds = found.some((delivery) => isDue(delivery, now)) ? await sendingHolds() : [];
  return (endpoint) => {
    const id = idOf(endpoint) ?? '';
    const delivery = byId.get(id);
    const replay = byId.get(replays.get(id) ?? '') ?? null;
    const outcome =
      delivery === undefined
        ? explainAbsenceAt(endpoint, event, replay)
        : explainDelivery(delivery, { endpoint, replay, holds, now });
    return {
      endpointId: endpoint.id,
      url: endpoint.url,
      ...outcome,
      failureReason: delivery?.failureReason ?? null,
      deliveryId: delivery?.id ?? null,
    };
  };
}

/**
 * The newest replay of each delivery, or of that replay if it was replayed itself, and so on. A replay job replays a replay that failed
 * instead of the first delivery, so only the last one shows whether the receiver got the event.
 */
async function lastReplays(
  { newestReplays }: Pick<Deps['deliveries'], 'newestReplays'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const last = new Map<string, string>();
  /** The delivery to which each of the replays found last leads back. */
  let origins = new Map(ids.map((id) => [id, id]));
  for (let followed = 0; followed < MAX_FOLLOWED && origins.size > 0; followed += 1) {
    const newest = await newestReplays([...origins.keys()]);
    const found = [...newest].map(([source, replay]) => [replay, origins.get(source) ?? source] as const);
    for (const [replay, id] of found) last.set(id, replay);
    origins = new Map(found);
  }
  return last;
}

/** An endpoint that is damaged in the database, as by a filter that is no JSON, must not hide the outcomes at all others. */
function explainAbsenceAt(...parts: Parameters<typeof explainAbsence>): Explained<Absence> {
  try {
    return explainAbsence(...parts);
  } catch {
    return {
      outcome: 'unknown',
      detail:
        'No delivery is stored: the settings of the endpoint are damaged in the database, so the event waits until they are repaired.',
    };
  }
}
