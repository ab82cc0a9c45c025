import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { StoredFilter } from '@postrider/shared/domain/event-filter';
import type { EventTypeName } from '@postrider/shared/domain/event-type';
import { isFrom, owedOf, subscriptionTo } from '@postrider/shared/domain/owed';
import { type Explained, type Replay, sentenceOfReplay } from './explain-delivery.js';

/** Why an endpoint has no delivery of an event. */
export type Absence = 'not_subscribed' | 'filtered' | 'created_later' | 'deleted' | 'missed' | 'unknown';

/** The known facts about an event. */
export interface EventFacts {
  readonly eventType: EventTypeName;
  /** The time that decides which endpoints are owed the event. */
  readonly moment: Date;
  /** Compares its payload with filters; null if no delivery of it is stored. */
  readonly payload: { matches(filter: StoredFilter): boolean } | null;
}

/**
 * Why an endpoint has no delivery of an event: decided from its current settings. `detail` says so wherever earlier ones may have
 * been different.
 *
 * @param replay the newest replay of a delivery that has expired, or null
 */
export function explainAbsence(
  endpoint: Endpoint,
  event: EventFacts | null,
  replay: Replay | null,
): Explained<Absence> {
  if (event === null)
    return {
      outcome: 'unknown',
      detail: 'Nothing is stored about this event: it may not exist, or its history may have expired.',
    };
  const { eventType, moment } = event;
  if (endpoint.deletedAt !== null)
    return { outcome: 'deleted', detail: `It was deleted at ${endpoint.deletedAt.toISOString()}.` };
  // There was a delivery, whatever the settings are now.
  if (replay !== null)
    return { outcome: 'unknown', detail: `Its delivery has expired. ${sentenceOfReplay(replay)}` };
  if (moment < endpoint.createdAt)
    return {
      outcome: 'created_later',
      detail: `It was created at ${endpoint.createdAt.toISOString()}.${doubtAbout(moment, endpoint.createdAt)}`,
    };
  const subscription = subscriptionTo(endpoint.subscriptions, eventType);
  if (subscription === null)
    return {
      outcome: 'not_subscribed',
      detail: 'With its current settings, it does not subscribe to the type.',
    };
  const { since } = subscription;
  if (moment < since)
    return {
      outcome: 'not_subscribed',
      detail: `With its current settings, it has subscribed to the type since ${since.toISOString()}.${doubtAbout(moment, since)}`,
    };
  return explainOwed(endpoint, event);
}

/** Fan-out allows for clocks that differ. */
function doubtAbout(moment: Date, since: Date): string {
  return isFrom(moment, since) ? ' A delivery is created only if the event is handled after that.' : '';
}

/** Explains the absence for an endpoint that subscribes to the event, by its current settings. */
function explainOwed(endpoint: Endpoint, event: EventFacts): Explained<Absence> {
  const matches = matchesFilter(endpoint, event);
  if (matches === false)
    return { outcome: 'filtered', detail: 'The event does not match its current filter.' };
  const missed = missedBecause(endpoint, event);
  if (missed !== null) {
    const doubt = matches === null ? ' Whether the event matches its current filter is not known.' : '';
    return {
      outcome: 'missed',
      detail: `With its current settings, it subscribes to the type. ${missed}${doubt}`,
    };
  }
  if (matches === null)
    return {
      outcome: 'filtered',
      detail: 'It has a filter now, which may have excluded the event: no delivery of it is stored.',
    };
  return {
    outcome: 'unknown',
    detail:
      'With its current settings, it subscribes to the event, but no delivery is stored: it is being created, it has expired, or the settings were different then.',
  };
}

/** @returns null if the event's payload is not stored */
function matchesFilter({ filter }: Endpoint, { payload }: EventFacts): boolean | null {
  if (!filter) return true;
  return payload === null ? null : payload.matches(filter);
}

function missedBecause(endpoint: Endpoint, { eventType, moment }: EventFacts): string | null {
  const owed = owedOf(endpoint, { eventType, occurredAt: moment });
  if (owed === null) return 'It was disabled then or later, and nothing is held from that time.';
  const wasFull = owed.kind === 'held' && hasMissedIn(endpoint, owed.since);
  return wasFull ? 'It was disabled then, and already had as many held deliveries as possible.' : null;
}

/** Whether deliveries were missed in the disabled period that began then: in the counted one, or in one before it. */
function hasMissedIn({ holding, missedPeriods = [] }: Endpoint, since: Date): boolean {
  const isSame = (other: Date) => other.getTime() === since.getTime();
  const isCounted = holding !== undefined && isSame(holding.since) && holding.missed > 0;
  return isCounted || missedPeriods.some(isSame);
}
