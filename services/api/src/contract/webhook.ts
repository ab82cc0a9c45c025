import type { DisabledReason, Recovery } from '@postrider/shared/domain/endpoint';
import type { SigningMethod } from '@postrider/shared/domain/signing';
import type { EndpointState } from '../domain/endpoint-health.js';
import type { LatencyPercentiles } from './delivery-stats.js';
import type { Page, PageRequest } from './page.js';
import type { WithSendingHolds } from './sending-hold.js';
import type { Timestamp } from './timestamp.js';

/**
 * The name of an event type, `*` for all, or a prefix such as `invoice.*`.
 * @pattern ^(\*|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,4}|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,3}\.\*)$
 * @maxLength 100
 * @example "invoice.paid"
 */
export type SubscribedEventType = string;

/**
 * An endpoint that receives the events of a workspace.
 * @example {
 *   "id": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "enabled": true,
 *   "consecutiveFailures": 0,
 *   "disabledReason": null,
 *   "recovery": "manual",
 *   "heldDeliveries": 0,
 *   "missedDeliveries": 0,
 *   "headerNames": [],
 *   "metadata": {},
 *   "ratePerSecond": null,
 *   "filter": null,
 *   "signing": "hmac-sha256",
 *   "publicKey": null,
 *   "previousSecretExpiresAt": null
 * }
 */
export interface Webhook {
  id: string;
  url: string;
  /** The subscribed event types: names, `*` for all, and prefixes such as `invoice.*`. */
  eventTypes: SubscribedEventType[];
  description: string | null;
  enabled: boolean;
  /**
   * Failed attempts since the last success. At 20 the endpoint is disabled.
   * @isInt
   */
  consecutiveFailures: number;
  /** Why it is disabled; null while it is enabled. */
  disabledReason: DisabledReason | null;
  /**
   * What enables it after failures have disabled it: `manual`, an operator; `probe`, a test event that it answers with 2xx. Test
   * events are sent after 5, 15, 30 and 60 minutes and then every 2 hours for 3 days. Then what was held meanwhile is replayed.
   */
  recovery: Recovery;
  /**
   * Deliveries that were not sent because the endpoint has been disabled, and that `replayHeld` sends; 0 while it is enabled.
   * The count is up to 5 s old. More than 10,000 are not counted. On a page with more than five disabled endpoints numbers above
   * 250 are approximate.
   * @isInt
   */
  heldDeliveries: number;
  /**
   * Events for which no delivery was stored, because too many were held since the endpoint was disabled. Approximate.
   * @isInt
   */
  missedDeliveries: number;
  /** The names of the static request headers. Their values are never returned. */
  headerNames: string[];
  metadata: Record<string, string>;
  /**
   * The most POSTs that start in a second; null for no limit.
   * @isInt
   */
  ratePerSecond: number | null;
  /** Only events whose payload matches are delivered; null for all. */
  filter: Record<string, unknown> | null;
  signing: SigningMethod;
  /** `whpk_` and 32 bytes in base64: what receivers verify `v1a` signatures with. Null with `hmac-sha256`. */
  publicKey: string | null;
  /** Until this time deliveries are also signed with the previous secret or key; null when there is none. */
  previousSecretExpiresAt: Timestamp | null;
}

/** The deliveries of one hour by their last outcome. */
export interface EndpointHour {
  /** The beginning of the hour (UTC). */
  start: Timestamp;
  /** @isInt */
  delivered: number;
  /**
   * Failed, for good or until a retry. Held ones are not counted.
   * @isInt
   */
  failed: number;
}

/** How an endpoint has done lately. */
export interface EndpointHealth {
  /**
   * All that apply. `slow`: of at least 20 attempts in this hour and the one before, more than one in 20 took longer than 1 s. `held`:
   * it is disabled and deliveries wait. `healthy`: none of the others.
   */
  states: EndpointState[];
  /** Of the attempts in this hour and the one before; null without any. */
  latencyMs: LatencyPercentiles | null;
  /** The last 24 hours, the current one last. */
  hours: EndpointHour[];
  /** Since when every attempt has failed; null after a success, and once it is enabled again. */
  failingSince: Timestamp | null;
  /** When the next test event is sent that may enable it again; null if none is planned. */
  nextProbeAt: Timestamp | null;
}

/**
 * An endpoint as it is read in a list.
 * @example {
 *   "id": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "enabled": true,
 *   "consecutiveFailures": 0,
 *   "disabledReason": null,
 *   "recovery": "manual",
 *   "heldDeliveries": 0,
 *   "missedDeliveries": 0,
 *   "headerNames": [],
 *   "metadata": {},
 *   "ratePerSecond": null,
 *   "filter": null,
 *   "signing": "hmac-sha256",
 *   "publicKey": null,
 *   "previousSecretExpiresAt": null,
 *   "health": {
 *     "states": ["slow"],
 *     "latencyMs": { "p50": 407, "p95": 1630, "p99": 2590 },
 *     "hours": [{ "start": "2026-03-01T09:00:00.000Z", "delivered": 118, "failed": 1 }],
 *     "failingSince": null,
 *     "nextProbeAt": null
 *   }
 * }
 */
export interface ListedWebhook extends Webhook {
  /** Only with `health=true`. */
  health?: EndpointHealth;
}

/**
 * An endpoint as it is read alone.
 * @example {
 *   "id": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "enabled": true,
 *   "consecutiveFailures": 0,
 *   "disabledReason": null,
 *   "recovery": "manual",
 *   "heldDeliveries": 0,
 *   "missedDeliveries": 0,
 *   "headerNames": [],
 *   "metadata": {},
 *   "ratePerSecond": null,
 *   "filter": null,
 *   "signing": "hmac-sha256",
 *   "publicKey": null,
 *   "previousSecretExpiresAt": null,
 *   "health": {
 *     "states": ["slow"],
 *     "latencyMs": { "p50": 407, "p95": 1630, "p99": 2590 },
 *     "hours": [{ "start": "2026-03-01T09:00:00.000Z", "delivered": 118, "failed": 1 }],
 *     "failingSince": null,
 *     "nextProbeAt": null
 *   }
 * }
 */
export interface WebhookDetails extends ListedWebhook, WithSendingHolds {}

/** One page of the list of endpoints. */
export interface WebhookPage extends Page<ListedWebhook>, WithSendingHolds {}

/** Selects the endpoints to list. All conditions must hold. */
export interface WebhookFilter extends PageRequest {
  /** Ids, separated by commas. Those that do not exist are left out. */
  ids?: string | undefined;
  /** One state or several, of which one has to apply, separated by commas. */
  state?: string | undefined;
  /** Part of the id, the URL, the description or an event type, in upper or lower case. */
  text?: string | undefined;
  /** A name and a value of the metadata, such as `customer:acme`. */
  metadata?: string | undefined;
  /** Adds `health` to each endpoint. */
  health?: boolean | undefined;
}

/** What an endpoint may have besides URL and subscriptions. Null resets an option; an object replaces the stored one as a whole. */
export interface WebhookOptions {
  /**
   * Static request headers for this receiver, at most 10 with 8 KiB together; they are stored encrypted. Not those that
   * Postrider or the connection sets, such as `webhook-…`, `content-…`, `user-agent` and `host`.
   */
  headers?: Record<string, string> | null;
  /** Names and values for your own use, at most 20 with 1 KiB together. */
  metadata?: Record<string, string> | null;
  /**
   * The most POSTs that start in a second. Deliveries wait for their turn; waiting is no failure.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  ratePerSecond?: number | null;
  /**
   * Only events whose payload matches are delivered: dotted paths, each with a list of values or conditions (`equals`,
   * `anything_but`, `prefix`, `suffix`, `gt`, `gte`, `lt`, `lte`, `exists`). Each path has to match at least one item of its
   * list. At most 10 paths and 2 KiB. Test events are not filtered.
   */
  filter?: Record<string, unknown> | null;
  /**
   * How deliveries are signed. A change makes a new key at once, and for 24 hours both kinds sign. Default: `hmac-sha256`.
   */
  signing?: SigningMethod | null;
}

/**
 * Creates an endpoint.
 * @example {
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "ratePerSecond": 50,
 *   "filter": { "plan": ["team", "business"] }
 * }
 */
export interface CreateWebhook extends WebhookOptions {
  /** An absolute https URL of a public host, at most 2,048 characters, without user name, password or fragment. */
  url: string;
  /**
   * The event types to subscribe to: names of built-in and custom types, `*` for all, and prefixes such as `invoice.*`.
   * @minItems 1
   * @maxItems 500
   */
  eventTypes: SubscribedEventType[];
  /** @maxLength 500 */
  description?: string | null;
  /** An endpoint that is created disabled receives nothing until it is enabled. Default: true. */
  enabled?: boolean;
  /** With `probe`, an endpoint that failures have disabled is enabled again when it accepts a test event. Default: `manual`. */
  recovery?: Recovery;
}

/**
 * Changes only the fields that are present.
 * @example { "enabled": true }
 */
export interface UpdateWebhook extends WebhookOptions {
  /** An absolute https URL of a public host, at most 2,048 characters, without user name, password or fragment. */
  url?: string;
  /**
   * Replaces the subscribed event types.
   * @minItems 1
   * @maxItems 500
   */
  eventTypes?: SubscribedEventType[];
  /** @maxLength 500 */
  description?: string | null;
  /** Enabling a disabled endpoint resets its failure count. */
  enabled?: boolean;
  /** With `probe`, an endpoint that failures (not an operator) disabled is enabled again when it accepts a test event. */
  recovery?: Recovery;
  /**
   * With `enabled: true` on a disabled endpoint: a replay job sends the deliveries that were held since it was disabled, oldest
   * first. Default: false.
   */
  replayHeld?: boolean;
}

/**
 * An endpoint after a change.
 * @example {
 *   "id": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "enabled": true,
 *   "consecutiveFailures": 0,
 *   "disabledReason": null,
 *   "recovery": "manual",
 *   "heldDeliveries": 0,
 *   "missedDeliveries": 0,
 *   "headerNames": [],
 *   "metadata": {},
 *   "ratePerSecond": null,
 *   "filter": null,
 *   "signing": "hmac-sha256",
 *   "publicKey": null,
 *   "previousSecretExpiresAt": null,
 *   "replayJobId": "rpl_01krzmb7g0q5w9n2x4c8v1j6th"
 * }
 */
export interface UpdatedWebhook extends Webhook {
  /** The replay job that sends the held deliveries; only in the answer to `replayHeld: true`. */
  replayJobId?: string;
}

/**
 * A new signing secret, which is only shown this time.
 * @example {
 *   "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
 *   "previousSecretExpiresAt": "2026-03-02T09:30:00.000Z"
 * }
 */
export interface RotatedSecret {
  /** `whsec_` and 32 bytes in base64: the HMAC key. */
  secret: string;
  /** Until this time deliveries are signed with both secrets, the new one first. */
  previousSecretExpiresAt: Timestamp;
}

/**
 * A new key pair. Its private half is never returned.
 * @example {
 *   "publicKey": "whpk_PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=",
 *   "previousKeyExpiresAt": "2026-03-02T09:30:00.000Z"
 * }
 */
export interface RotatedKey {
  /** `whpk_` and 32 bytes in base64: the ed25519 key that receivers verify with. */
  publicKey: string;
  /** Until this time deliveries are signed with both keys, the new one first. */
  previousKeyExpiresAt: Timestamp;
}
