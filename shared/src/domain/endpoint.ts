import type { EventType } from './event-type.js';
import type { SealedSecret } from './sealed-secret.js';

export const DISABLED_REASONS = ['operator', 'consecutive_failures'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Consecutive accepted failures that disable an endpoint (specification, section 8). */
export const FAILURES_THAT_DISABLE = 20;

/** A webhook endpoint: where a workspace wants its events POSTed. */
export interface Endpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly description: string | null;
  /** The subscriptions: each type and the moment since which the endpoint has subscribed to it without a break. */
  readonly subscriptions: readonly Subscription[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  /** Creation or the last re-enable: older events are not owed. */
  readonly enabledSince: Date;
  readonly consecutiveFailures: number;
  /** Counts the changes of the streak, so that their chain can be proved complete. */
  readonly streakVersion: number;
  /** Since when every attempt has failed; null while the streak is 0. */
  readonly failingSince: Date | null;
  /** Null once the endpoint is deleted: its secrets are erased at once. */
  readonly secrets: EndpointSecrets | null;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
}

/** What attempts change of an endpoint, and what deciding so needs. */
export type EndpointStanding = Pick<
  Endpoint,
  | 'id'
  | 'workspaceId'
  | 'url'
  | 'enabled'
  | 'disabledReason'
  | 'consecutiveFailures'
  | 'streakVersion'
  | 'failingSince'
  | 'deletedAt'
>;

/** What sending to an endpoint needs. */
export type EndpointTarget = EndpointStanding & Pick<Endpoint, 'secrets'>;

/** What deciding needs whether an event is owed to an endpoint. */
export type Subscriber = Pick<
  Endpoint,
  'id' | 'workspaceId' | 'subscriptions' | 'enabled' | 'enabledSince' | 'deletedAt'
>;

export interface Subscription {
  readonly eventType: EventType;
  readonly since: Date;
}

export interface EndpointSecrets {
  /** Grows with each rotation; names the pair of keys in caches. */
  readonly version: number;
  readonly current: SealedSecret;
  readonly previous: { readonly secret: SealedSecret; readonly expiresAt: Date } | null;
}

export interface NewEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
  readonly enabled: boolean;
  readonly secret: SealedSecret;
  readonly createdAt: Date;
}

export function newEndpoint(facts: NewEndpoint): Endpoint {
  return {
    id: facts.id,
    workspaceId: facts.workspaceId,
    url: facts.url,
    description: facts.description,
    subscriptions: facts.eventTypes.map((eventType) => ({ eventType, since: facts.createdAt })),
    enabled: facts.enabled,
    disabledReason: facts.enabled ? null : 'operator',
    enabledSince: facts.createdAt,
    consecutiveFailures: 0,
    streakVersion: 0,
    failingSince: null,
    secrets: { version: 1, current: facts.secret, previous: null },
    createdAt: facts.createdAt,
    deletedAt: null,
  };
}

/** Events older than this before an endpoint's creation, subscription or re-enable are not owed: clocks differ a little. */
const CLOCK_ALLOWANCE_MS = 5_000;

/**
 * Is this event owed to this endpoint? Enabled, not deleted, and subscribed to the type since before the event.
 * Lost consumer offsets replay a week of events; this keeps them from endpoints that did not exist then.
 */
export function wants(endpoint: Subscriber, event: { eventType: EventType; occurredAt: Date }): boolean {
  if (!endpoint.enabled || endpoint.deletedAt !== null) return false;
  const subscription = endpoint.subscriptions.find(({ eventType }) => eventType === event.eventType);
  if (subscription === undefined) return false;
  const since = Math.max(subscription.since.getTime(), endpoint.enabledSince.getTime());
  return event.occurredAt.getTime() >= since - CLOCK_ALLOWANCE_MS;
}

/** The scheme, host and port of a hook's URL. Its path often is a secret, so nothing else leaves the endpoint itself. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
