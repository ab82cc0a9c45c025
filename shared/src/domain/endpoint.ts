import type { ClosedReason } from './delivery.js';
import { type EventTypeName, type SubscribedType, subscriptionsMatching } from './event-type.js';
import type { EndpointId, WorkspaceId } from './id.js';
import type { SealedSecret } from './sealed-secret.js';

export const DISABLED_REASONS = ['operator', 'consecutive_failures'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Consecutive accepted failures that disable an endpoint (specification, section 8). */
export const FAILURES_THAT_DISABLE = 20;

/** The fields of an endpoint that mean the same in every state. */
interface EndpointFacts {
  readonly id: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly url: string;
  readonly description: string | null;
  /** Each subscribed type and the start of its uninterrupted subscription. */
  readonly subscriptions: readonly Subscription[];
  /** Creation or the last re-enable: older events are not delivered. */
  readonly enabledSince: Date;
  readonly consecutiveFailures: number;
  /** Counts the changes of the streak, so that `admin verify` can prove their chain complete. */
  readonly streakVersion: number;
  /** Since when every attempt has failed; null while the streak is 0. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

type Activation =
  | { readonly enabled: true; readonly disabledReason: null }
  | { readonly enabled: false; readonly disabledReason: DisabledReason };

/** A deleted endpoint keeps its row for its deliveries; its secrets are erased at once. */
type Existence =
  | { readonly deletedAt: null; readonly secrets: EndpointSecrets }
  | { readonly deletedAt: Date; readonly secrets: null };

/** A webhook endpoint: where a workspace's events are POSTed. Enabled, disabled for a reason, or deleted. */
export type Endpoint = EndpointFacts & Activation & Existence;

export type LiveEndpoint = EndpointFacts & Activation & Extract<Existence, { readonly deletedAt: null }>;

/** The fields of a stored endpoint before they are known to form a valid state. */
export type EndpointFields = EndpointFacts & {
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly deletedAt: Date | null;
  readonly secrets: EndpointSecrets | null;
};

/** The part of an endpoint that attempts change, and the fields needed to decide on that. */
export type EndpointStanding = Pick<
  EndpointFacts,
  'id' | 'workspaceId' | 'url' | 'consecutiveFailures' | 'streakVersion' | 'failingSince'
> &
  Activation &
  Pick<EndpointFields, 'deletedAt'>;

/** The part of an endpoint that sending needs. */
export type EndpointTarget = EndpointStanding & Existence;

/** The part of an endpoint that decides whether it receives an event. */
export type Subscriber = Pick<EndpointFacts, 'id' | 'workspaceId' | 'subscriptions' | 'enabledSince'> &
  Pick<EndpointFields, 'enabled' | 'deletedAt'>;

export interface Subscription {
  /** A name, `*` or a prefix. */
  readonly eventType: SubscribedType;
  readonly since: Date;
}

export interface EndpointSecrets {
  /** Incremented by each rotation. */
  readonly version: number;
  readonly current: SealedSecret;
  readonly previous: { readonly secret: SealedSecret; readonly expiresAt: Date } | null;
}

export type NewEndpoint = Pick<EndpointFacts, 'id' | 'workspaceId' | 'url' | 'description' | 'createdAt'> & {
  readonly eventTypes: readonly SubscribedType[];
  readonly enabled: boolean;
  readonly secret: SealedSecret;
};

export function newEndpoint({ eventTypes, enabled, secret, ...facts }: NewEndpoint): LiveEndpoint {
  return {
    ...facts,
    subscriptions: eventTypes.map((eventType) => ({ eventType, since: facts.createdAt })),
    ...(enabled ? { enabled, disabledReason: null } : { enabled, disabledReason: 'operator' }),
    enabledSince: facts.createdAt,
    consecutiveFailures: 0,
    streakVersion: 0,
    failingSince: null,
    secrets: { version: 1, current: secret, previous: null },
    deletedAt: null,
  };
}

/** An event may be this much older than the endpoint's subscription or re-enable, because clocks differ. */
const CLOCK_ALLOWANCE_MS = 5_000;

/**
 * Returns whether the endpoint receives the event: it is enabled, not deleted, and subscribed to the type since before
 * the event. Lost consumer offsets replay a week of events; endpoints created since then must not receive them.
 */
export function receives(
  endpoint: Subscriber,
  event: { eventType: EventTypeName; occurredAt: Date },
): boolean {
  if (!endpoint.enabled || endpoint.deletedAt !== null) return false;
  const subscribedSince = subscribedSinceOf(endpoint.subscriptions, event.eventType);
  if (subscribedSince === null) return false;
  const since = Math.max(subscribedSince, endpoint.enabledSince.getTime());
  return event.occurredAt.getTime() >= since - CLOCK_ALLOWANCE_MS;
}

/** The start of the oldest subscription that an event of this type matches, in milliseconds; null when there is none. */
function subscribedSinceOf(subscriptions: readonly Subscription[], type: EventTypeName): number | null {
  const matching = subscriptionsMatching(type);
  const starts = subscriptions
    .filter(({ eventType }) => matching.includes(eventType))
    .map(({ since }) => since.getTime());
  return starts.length === 0 ? null : Math.min(...starts);
}

/** Why an endpoint receives no deliveries; null when it does. */
export function closedReason(
  endpoint: Pick<EndpointFields, 'enabled' | 'deletedAt'> | null,
): ClosedReason | null {
  if (endpoint === null || endpoint.deletedAt !== null) return 'endpoint_deleted';
  return endpoint.enabled ? null : 'endpoint_disabled';
}

/** The scheme, host and port of a webhook URL. The path may be a secret, so only the origin is shown elsewhere. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null';
}
