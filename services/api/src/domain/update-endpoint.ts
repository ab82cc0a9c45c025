import type { StreakChange } from '@postrider/shared/domain/delivery';
import type { Endpoint, Subscription } from '@postrider/shared/domain/endpoint';
import type { EventType } from '@postrider/shared/domain/event-type';
import { clearStreak } from '@postrider/shared/domain/streak';
import type { UpdateWebhook } from '../contract/webhook.js';

/** What an update makes of an endpoint. */
export interface Updated {
  readonly endpoint: Endpoint;
  /** The fields that differ from before, `enabled` aside. */
  readonly changed: readonly ('url' | 'eventTypes' | 'description')[];
  /** Null when it stays as enabled or disabled as it was. */
  readonly turned: 'enabled' | 'disabled' | null;
  /** What enabling did to the failure streak. */
  readonly streak: StreakChange | null;
}

/** Applies the fields that were sent. Setting a field to what it is already changes nothing. */
export function applyUpdate(before: Endpoint, update: UpdateWebhook, at: Date): Updated {
  const fields = applyFields(before, update, at);
  const { enabled = before.enabled } = update;
  if (enabled === before.enabled) return { ...fields, turned: null, streak: null };
  if (!enabled) {
    const endpoint: Endpoint = { ...fields.endpoint, enabled, disabledReason: 'operator' };
    return { ...fields, endpoint, turned: 'disabled', streak: null };
  }
  const { endpoint, change } = clearStreak(
    { ...fields.endpoint, enabled, disabledReason: null, enabledSince: at },
    at,
  );
  return { ...fields, endpoint, turned: 'enabled', streak: change };
}

function applyFields(
  before: Endpoint,
  update: UpdateWebhook,
  at: Date,
): Pick<Updated, 'endpoint' | 'changed'> {
  const { url = before.url, description = before.description } = update;
  const subscriptions = update.eventTypes
    ? resubscribe(before.subscriptions, update.eventTypes, at)
    : before.subscriptions;
  const differs = {
    url: url !== before.url,
    eventTypes: !sameTypes(subscriptions, before.subscriptions),
    description: description !== before.description,
  };
  const changed = (['url', 'eventTypes', 'description'] as const).filter((field) => differs[field]);
  return { endpoint: { ...before, url, description, subscriptions }, changed };
}

/** A type that stays subscribed keeps its moment: an event on its way is still owed. A new type starts now. */
function resubscribe(
  before: readonly Subscription[],
  eventTypes: readonly EventType[],
  at: Date,
): readonly Subscription[] {
  return [...new Set(eventTypes)].map(
    (eventType) => before.find((kept) => kept.eventType === eventType) ?? { eventType, since: at },
  );
}

function sameTypes(some: readonly Subscription[], others: readonly Subscription[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
