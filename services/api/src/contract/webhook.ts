import type { DisabledReason, Recovery } from '@postrider/shared/domain/endpoint';
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
   * More than 10,000 are not counted.
   * @isInt
   */
  heldDeliveries: number;
  /**
   * Events for which no delivery was stored, because too many were held since the endpoint was disabled. Approximate.
   * @isInt
   */
  missedDeliveries: number;
  /** Until this time deliveries are also signed with the previous secret; null when there is none. */
  previousSecretExpiresAt: Timestamp | null;
}

/**
 * Creates an endpoint.
 * @example {
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date"
 * }
 */
export interface CreateWebhook {
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
  /** With `probe` it is enabled again when it answers a test event after failures disabled it. Default: `manual`. */
  recovery?: Recovery;
}

/**
 * Changes only the fields that are present.
 * @example { "enabled": true }
 */
export interface UpdateWebhook {
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
  /** With `probe` it is enabled again when it answers a test event after failures disabled it. An operator's disabling lasts. */
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
