import type { StreakChange } from '@postrider/shared/domain/delivery';
import { periodOf } from '@postrider/shared/domain/disabled-period';
import type { Endpoint, Subscription } from '@postrider/shared/domain/endpoint';
import type { SubscribedType } from '@postrider/shared/domain/event-type';
import { clearStreak } from '@postrider/shared/domain/streak';

/** The fields to change; absent fields keep their value. */
export interface EndpointUpdate {
  readonly url?: string;
  readonly eventTypes?: readonly SubscribedType[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export interface EndpointUpdated {
  readonly endpoint: Endpoint;
  /** The fields whose value changed, except `enabled`. */
  readonly changed: readonly ('url' | 'eventTypes' | 'description')[];
  /** Null when `enabled` did not change. */
  readonly switched: 'enabled' | 'disabled' | null;
  /** The reset of the failure streak on enabling. */
  readonly streak: StreakChange | null;
}

/** Applies the fields that are present. A field that is set to its current value does not count as changed. */
export function updateEndpoint(before: Endpoint, update: EndpointUpdate, at: Date): EndpointUpdated {
  const fields = applyFields(before, update, at);
  const { enabled = before.enabled } = update;
  if (enabled === before.enabled) return { ...fields, switched: null, streak: null };
  if (!enabled) {
    const endpoint: Endpoint = { ...fields.endpoint, enabled, disabledReason: 'operator', disabledAt: at };
    return { ...fields, endpoint, switched: 'disabled', streak: null };
  }
  const { endpoint, change } = clearStreak(
    {
      ...fields.endpoint,
      enabled,
      disabledReason: null,
      enabledSince: at,
      disabledAt: null,
      lastPeriod: periodOf(before),
    },
    at,
  );
  return { ...fields, endpoint, switched: 'enabled', streak: change };
}

function applyFields(
  before: Endpoint,
  update: EndpointUpdate,
  at: Date,
): Pick<EndpointUpdated, 'endpoint' | 'changed'> {
  const { url = before.url, description = before.description } = update;
  const subscriptions = update.eventTypes
    ? resubscribe(before.subscriptions, update.eventTypes, at)
    : before.subscriptions;
  const isChanged = {
    url: url !== before.url,
    eventTypes: !sameTypes(subscriptions, before.subscriptions),
    description: description !== before.description,
  };
  const changed = (['url', 'eventTypes', 'description'] as const).filter((field) => isChanged[field]);
  return { endpoint: { ...before, url, description, subscriptions }, changed };
}

/** A type that stays subscribed keeps its start time, so that events in transit are still delivered. A new type starts now. */
function resubscribe(
  before: readonly Subscription[],
  eventTypes: readonly SubscribedType[],
  at: Date,
): readonly Subscription[] {
  return [...new Set(eventTypes)].map(
    (eventType) =>
      before.find((subscription) => subscription.eventType === eventType) ?? { eventType, since: at },
  );
}

function sameTypes(some: readonly Subscription[], others: readonly Subscription[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
