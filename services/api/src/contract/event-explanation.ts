import type { DeliveryStatus, FailureReason } from '@postrider/shared/domain/delivery';
import type { Timestamp } from './timestamp.js';

/** What became of an event at an endpoint: the status of its delivery, or why there is none. */
export type EventOutcome =
  | DeliveryStatus
  | 'not_subscribed'
  | 'filtered'
  | 'created_later'
  | 'deleted'
  | 'missed'
  | 'unknown';

export interface EventAtEndpoint {
  endpointId: string;
  url: string;
  /**
   * The status of the delivery, or why there is none: `not_subscribed`, `filtered`, `created_later` (than the event), `deleted`,
   * `missed` (while it was disabled, beyond what is held), `unknown`.
   */
  outcome: EventOutcome;
  /** The reason for the status; null when there is none. `endpoint_disabled`: it is held. */
  failureReason: FailureReason | null;
  /** Null if no delivery is stored. */
  deliveryId: string | null;
  /**
   * Explains the outcome to people: how the last attempt ended, when the next one is due, whether sending is held, what to do, the
   * newest replay. Its words may change. Null if there is nothing to add.
   */
  detail: string | null;
}

/**
 * What became of an event, endpoint by endpoint.
 * @example {
 *   "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "eventType": "billing.plan_changed",
 *   "occurredAt": "2026-03-01T09:30:00.000Z",
 *   "items": [
 *     {
 *       "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *       "url": "https://hooks.example.com/postrider",
 *       "outcome": "delivered",
 *       "failureReason": null,
 *       "deliveryId": "whd_01krzmb7g0q5w9n2x4c8v1j6th",
 *       "detail": null
 *     }
 *   ],
 *   "nextCursor": null
 * }
 */
export interface EventExplanation {
  eventId: string;
  /** Null if nothing of the event is stored. */
  eventType: string | null;
  /** Null if nothing of the event is stored, or its time is missing in what is stored. */
  occurredAt: Timestamp | null;
  /** By endpoint id; a page may be short while `nextCursor` is set. A test event lists its endpoint alone. */
  items: EventAtEndpoint[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  nextCursor: string | null;
}
