import type { ClosedReason } from './delivery.js';
import type { DisabledPeriod, EarlierPeriod } from './disabled-period.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { SubscribedType } from './event-type.js';
import type { EndpointId, WorkspaceId } from './id.js';
import type { SealedSecret } from './sealed-secret.js';

const DISABLED_REASONS = ['operator', 'consecutive_failures'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What enables an endpoint that failures have disabled: its operator, or a recovery probe that it answers. */
export const RECOVERIES = ['manual', 'probe'] as const;
export type Recovery = (typeof RECOVERIES)[number];

/** Consecutive accepted failures that disable an endpoint (specification, section 8). */
export const FAILURES_THAT_DISABLE = 20;
/** Consecutive accepted failures after which the workspace is warned, once per streak. */
export const FAILURES_THAT_WARN = 10;

/** The fields of an endpoint that mean the same in every state. */
interface EndpointFacts extends EndpointOptions {
  readonly id: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly url: string;
  readonly description: string | null;
  /** Each subscribed type and the start of its uninterrupted subscription, whichever names and patterns it consisted of. */
  readonly subscriptions: readonly Subscription[];
  /** Creation or the last re-enable: older events are not delivered. */
  readonly enabledSince: Date;
  /** Since when it has been disabled. Null while it is enabled, absent if an older version stored it last. */
  readonly disabledAt?: Date | null;
  /** The last disabled period that has ended; absent if there was none. */
  readonly lastPeriod?: DisabledPeriod;
  /** Those before it that are remembered, newest first; absent until a process of this version enables it again. */
  readonly earlierPeriods?: readonly EarlierPeriod[];
  /** Absent for `manual`. */
  readonly recovery?: Recovery;
  /** The planned time of its next recovery probe; null or absent if there is none. */
  readonly probeAt?: Date | null;
  /** The deliveries that fan-out held; absent before the first one. */
  readonly holding?: Holding;
  /**
   * The starts of earlier disabled periods in which deliveries were missed, in the order in which fan-out stored them. At most as
   * many as ended periods are remembered; absent if there are none. Only explanations read it.
   */
  readonly missedPeriods?: readonly Date[];
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

/** An endpoint that was not deleted. */
export type LiveEndpoint = EndpointFacts & Activation & Extract<Existence, { readonly deletedAt: null }>;

/** The fields of a stored endpoint before they are known to form a valid state. */
export type EndpointFields = EndpointFacts & {
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly deletedAt: Date | null;
  readonly secrets: EndpointSecrets | null;
};

/** The part of an endpoint that attempts change, and the fields needed to decide on that. */
export type SettledEndpoint = Pick<
  EndpointFacts,
  | 'id'
  | 'workspaceId'
  | 'url'
  | 'enabledSince'
  | 'disabledAt'
  | 'lastPeriod'
  | 'earlierPeriods'
  | 'recovery'
  | 'probeAt'
  | 'consecutiveFailures'
  | 'streakVersion'
  | 'failingSince'
> &
  Activation &
  Pick<EndpointFields, 'deletedAt'>;

/** The part of an endpoint that sending needs. */
export type EndpointTarget = SettledEndpoint & Existence & Pick<EndpointOptions, 'headers' | 'ratePerSecond'>;

/** The part of an endpoint that decides whether it is owed an event. */
export type Subscriber = Pick<
  EndpointFacts,
  | 'id'
  | 'workspaceId'
  | 'subscriptions'
  | 'enabledSince'
  | 'disabledAt'
  | 'lastPeriod'
  | 'earlierPeriods'
  | 'holding'
  | 'filter'
> &
  Pick<EndpointFields, 'enabled' | 'deletedAt'>;

/** A subscriber with the fields that sending to it needs, as both were read together. */
export type SubscribedEndpoint = Subscriber & EndpointTarget;

/** A copy without the subscriptions and the filter, which may take a hundred times as much memory as the rest. */
export function targetOf(endpoint: SubscribedEndpoint): EndpointTarget {
  // This takes a tenth of the time of destructuring with a rest, for each delivery.
  const target = { ...endpoint, subscriptions: [], filter: null };
  return target;
}

/** A copy without the secrets and the headers. */
export function settledOf(endpoint: EndpointTarget): SettledEndpoint {
  const settled = { ...endpoint, secrets: null, headers: null };
  return settled;
}

/** The part of an endpoint that a search needs. */
export type SearchedEndpoint = Pick<
  EndpointFacts,
  'id' | 'url' | 'description' | 'metadata' | 'enabledSince' | 'disabledAt' | 'consecutiveFailures'
> &
  Activation & { readonly subscriptions: readonly Pick<Subscription, 'eventType'>[] };

/** How many deliveries fan-out held for an endpoint in one disabled period, up to the last second. */
export interface Holding {
  /** The start of the period. */
  readonly since: Date;
  /** Deliveries that were stored. */
  readonly rows: number;
  /** Deliveries beyond the limit, which were not stored. */
  readonly missed: number;
}

export interface Subscription {
  /** A name, `*` or a prefix. */
  readonly eventType: SubscribedType;
  readonly since: Date;
  /**
   * Older subscriptions to a part of what it matches, which it replaced. They apply to events from before it that are handled
   * late. Absent if there are none.
   */
  readonly earlier?: readonly SubscriptionStart[];
}

/** A type, and since when events of it are owed. */
export type SubscriptionStart = Pick<Subscription, 'eventType' | 'since'>;

/** The subscriptions, each followed by those that it replaced. */
export function subscriptionStarts(subscriptions: readonly Subscription[]): readonly SubscriptionStart[] {
  return subscriptions.some(({ earlier }) => earlier !== undefined)
    ? subscriptions.flatMap((subscription) => [subscription, ...(subscription.earlier ?? [])])
    : subscriptions;
}

/** A key that signs, and the public half of a key pair. */
export interface SealedKey {
  readonly secret: SealedSecret;
  /** Null for HMAC. */
  readonly publicKey: string | null;
}

export interface EndpointSecrets {
  /** Incremented by each rotation. */
  readonly version: number;
  readonly current: SealedSecret;
  /** The public half of the current key pair; null for HMAC, absent if an older version stored it. */
  readonly publicKey?: string | null;
  /** Whether the current secret was made by a change of `signing`, so that no answer has returned it. */
  readonly isUnseen?: boolean;
  readonly previous: { readonly secret: SealedSecret; readonly expiresAt: Date } | null;
}

export type NewEndpoint = Pick<
  EndpointFacts,
  'id' | 'workspaceId' | 'url' | 'description' | 'recovery' | 'createdAt'
> & {
  readonly eventTypes: readonly SubscribedType[];
  readonly enabled: boolean;
  readonly secret: SealedSecret;
  readonly publicKey?: string | null;
  readonly options?: EndpointOptions;
};

export function newEndpoint({
  eventTypes,
  enabled,
  secret,
  publicKey = null,
  options = {},
  ...facts
}: NewEndpoint): LiveEndpoint {
  return {
    ...facts,
    ...options,
    subscriptions: eventTypes.map((eventType) => ({ eventType, since: facts.createdAt })),
    ...(enabled ? { enabled, disabledReason: null } : { enabled, disabledReason: 'operator' }),
    enabledSince: facts.createdAt,
    disabledAt: enabled ? null : facts.createdAt,
    consecutiveFailures: 0,
    streakVersion: 0,
    failingSince: null,
    secrets: { version: 1, current: secret, ...(publicKey !== null && { publicKey }), previous: null },
    deletedAt: null,
  };
}

/** Why an endpoint receives no deliveries; null when it does. */
export function closedReason(
  endpoint: Pick<EndpointFields, 'enabled' | 'deletedAt'> | null,
): ClosedReason | null {
  if (endpoint === null || endpoint.deletedAt !== null) return 'endpoint_deleted';
  return endpoint.enabled ? null : 'endpoint_disabled';
}

/** The scheme, host and port of a webhook URL, or `null` if it is invalid. The path may be a secret, so only this is shown. */
export function originOf(url: string): string {
  return validOrigin(url) ?? 'null';
}

/** The origin of a URL; null if the URL is invalid. */
export function validOrigin(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
