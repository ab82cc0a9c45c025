import type { DisabledReason } from '@postrider/shared/domain/endpoint';
import type { EventType } from '@postrider/shared/domain/event-type';
import type { Timestamp } from './timestamp.js';

/**
 * Where a workspace wants its events POSTed.
 * @example {
 *   "id": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://hooks.example.com/postrider",
 *   "eventTypes": ["billing.plan_changed", "workspace_member.added"],
 *   "description": "Keeps the CRM up to date",
 *   "enabled": true,
 *   "consecutiveFailures": 0,
 *   "disabledReason": null,
 *   "previousSecretExpiresAt": null
 * }
 */
export interface Webhook {
  id: string;
  url: string;
  /** The event types that it subscribes to. */
  eventTypes: EventType[];
  description: string | null;
  enabled: boolean;
  /**
   * Failed attempts since the last success. At 20 the endpoint is disabled.
   * @isInt
   */
  consecutiveFailures: number;
  /** Who disabled it; null while it is enabled. */
  disabledReason: DisabledReason | null;
  /** Until then deliveries are signed with the previous secret as well; null when no rotation is under way. */
  previousSecretExpiresAt: Timestamp | null;
}

/**
 * What a new endpoint is made from.
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
   * The event types to subscribe to.
   * @minItems 1
   */
  eventTypes: EventType[];
  /** @maxLength 500 */
  description?: string | null;
  /** An endpoint that is created disabled receives nothing until it is enabled. Default: true. */
  enabled?: boolean;
}

/**
 * Only the fields that are sent change.
 * @example { "enabled": true }
 */
export interface UpdateWebhook {
  /** An absolute https URL of a public host, at most 2,048 characters, without user name, password or fragment. */
  url?: string;
  /**
   * The event types to subscribe to from now on.
   * @minItems 1
   */
  eventTypes?: EventType[];
  /** @maxLength 500 */
  description?: string | null;
  /** Enabling a disabled endpoint starts its failure count anew. */
  enabled?: boolean;
}

/**
 * A new signing secret. This is the only time that it is shown.
 * @example {
 *   "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
 *   "previousSecretExpiresAt": "2026-03-02T09:30:00.000Z"
 * }
 */
export interface RotatedSecret {
  /** `whsec_` and 32 bytes in base64: the HMAC key. */
  secret: string;
  /** Until then deliveries are signed with both secrets, the new one first. */
  previousSecretExpiresAt: Timestamp;
}
