import type { Timestamp } from './timestamp.js';

/**
 * An event of a custom type.
 * @example {
 *   "type": "invoice.paid",
 *   "data": { "invoiceId": "in_4f9k2", "customer": { "id": "cus_81" }, "amount": 4200, "currency": "EUR" }
 * }
 */
export interface PublishEvent {
  /** The name of a custom event type. */
  type: string;
  /** The event's own fields. They must match the schema of the type; fields that it does not name are dropped, see `droppedFields`. */
  data: Record<string, unknown>;
  /** When it happened: by default now, not in the future, and at most 7 days ago. */
  occurredAt?: Timestamp;
}

/**
 * An event that is stored and will be delivered.
 * @example {
 *   "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "type": "invoice.paid",
 *   "occurredAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface PublishedEvent {
  eventId: string;
  type: string;
  occurredAt: Timestamp;
  /**
   * Where `data` had fields that the schema does not name, like `data.lines[0].color`: they are not stored or delivered. At most
   * ten, and long ones are cut. Absent where nothing was dropped.
   * @maxItems 10
   */
  droppedFields?: string[];
}

/**
 * Events that are accepted together or not at all.
 * @example {
 *   "events": [
 *     { "type": "invoice.paid", "data": { "invoiceId": "in_4f9k2", "amount": 4200 } },
 *     { "type": "user.profile.updated", "data": { "userId": "usr_42", "changed": ["name"] } }
 *   ]
 * }
 */
export interface PublishEvents {
  /**
   * @minItems 1
   * @maxItems 100
   */
  events: PublishEvent[];
}

/**
 * The published events, in the order of the request.
 * @example {
 *   "events": [
 *     {
 *       "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *       "type": "invoice.paid",
 *       "occurredAt": "2026-03-01T09:30:00.000Z"
 *     }
 *   ]
 * }
 */
export interface PublishedEvents {
  events: PublishedEvent[];
}

/**
 * A kind of event.
 * @example {
 *   "name": "invoice.paid",
 *   "description": "An invoice was paid in full.",
 *   "schema": { "type": "object", "required": ["amount"], "properties": { "amount": { "type": "integer" } } },
 *   "example": { "amount": 4200 },
 *   "deprecated": false,
 *   "builtIn": false
 * }
 */
export interface EventTypeInfo {
  name: string;
  description: string;
  /** The JSON Schema, 2020-12, of an event's own fields: without `eventId`, `occurredAt` and `workspaceId`. */
  schema: Record<string, unknown>;
  /** Own fields of an event. */
  example: Record<string, unknown>;
  /** Whether the type should no longer be used; its events are still delivered. */
  deprecated: boolean;
  /** Whether Postrider itself emits its events. */
  builtIn: boolean;
}
