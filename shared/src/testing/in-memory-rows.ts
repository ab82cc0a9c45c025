import type { AuditEvent } from '../domain/audit-event.js';
import { type Attempt, type Delivery, type DeliverySummary, summaryOf } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { Notification } from '../domain/notification.js';
import type { Observation } from '../domain/settle.js';
import type { Announcement, Stored } from '../domain/settle-all.js';
import { notificationRecord } from '../outbox/record.js';
import type { FanOutProgress, UnmatchedEvent } from '../ports/fan-out.js';
import type { OutboxRecord } from '../ports/outbox.js';
import { settledEndpointOf } from './endpoint-parts.js';

/** The rows that the stores in memory share, by id. */
export interface InMemoryRows {
  readonly deliveries: Map<string, Delivery>;
  readonly endpoints: Map<string, Endpoint>;
  readonly attempts: Map<string, Attempt>;
  readonly audits: Map<string, AuditEvent>;
  readonly notifications: Map<string, Notification>;
  readonly progress: Map<string, FanOutProgress>;
  readonly unmatchedEvents: Map<string, UnmatchedEvent>;
}

export function createInMemoryRows(): InMemoryRows {
  return {
    deliveries: new Map(),
    endpoints: new Map(),
    attempts: new Map(),
    audits: new Map(),
    notifications: new Map(),
    progress: new Map(),
    unmatchedEvents: new Map(),
  };
}

/** Returns the rows that observations or dead letters touch. */
export function readStored(
  { deliveries, endpoints }: InMemoryRows,
  touched: readonly Pick<Observation, 'deliveryId' | 'endpointId'>[],
): Stored {
  const deliveryIds = touched.map(({ deliveryId }) => deliveryId);
  const endpointIds = touched.map(({ endpointId }) => endpointId);
  return {
    deliveries: pick(deliveries, deliveryIds, summaryOf),
    endpoints: pick(endpoints, endpointIds, settledEndpointOf),
  };
}

export function updateSummary({ deliveries }: InMemoryRows, row: DeliverySummary): void {
  deliveries.set(row.id, { ...deliveries.get(row.id)!, ...row });
}

/** Stores notifications. @returns the records that publish them */
export function announce(
  { notifications }: InMemoryRows,
  announcements: readonly Announcement[],
): readonly OutboxRecord[] {
  for (const { notification } of announcements) notifications.set(notification.id, notification);
  return announcements.map(({ notification, traceId }) => notificationRecord(notification, traceId));
}

export function attemptKey({ deliveryId, ordinal }: Attempt): string {
  return `${deliveryId}:${ordinal}`;
}

/** Returns a part of each row that exists. */
export function pick<Id extends string, Row, Part>(
  all: ReadonlyMap<string, Row>,
  ids: readonly Id[],
  part: (row: Row) => Part,
): Map<Id, Part> {
  const found = new Map<Id, Part>();
  for (const id of ids) {
    const row = all.get(id);
    if (row !== undefined) found.set(id, part(row));
  }
  return found;
}

/** @throws Error if an id is stored already, or given twice */
export function refuseDuplicates(stored: ReadonlyMap<string, unknown>, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (stored.has(id) || seen.has(id)) throw new Error(`${id} is stored twice`);
    seen.add(id);
  }
}
