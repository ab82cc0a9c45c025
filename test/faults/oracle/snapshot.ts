import { createHash } from 'node:crypto';
import type { ClientSession, Db, Document, MongoClient } from 'mongodb';
import type {
  AttemptFacts,
  AttemptRow,
  AuditRow,
  EndpointRow,
  NotificationRow,
  Row,
  Snapshot,
  StreakChange,
} from './evidence.js';

/** Reads everything as it was at one moment. It knows the collections by name only, and none of the services' code. */
export async function takeSnapshot(client: MongoClient, db: Db): Promise<Snapshot> {
  // What was answered before this moment is in the snapshot.
  const at = Date.now();
  return client.withSession({ snapshot: true }, async (session) => {
    const read = (collection: string) => all(db, collection, session);
    const rows = (await read('deliveries')).map(rowOf);
    const attempts = (await read('delivery_attempts')).map(attemptOf);
    const endpoints = (await read('endpoints')).map(endpointOf);
    const audits = (await read('audit_events')).map(auditOf);
    const notifications = (await read('notifications')).map(notificationOf);
    const outbox = (await read('outbox')).map(({ _id }) => String(_id));
    const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
      new Map(items.map((item) => [item.id, item]));
    return {
      at,
      rows: byId(rows),
      attempts: byId(attempts),
      endpoints: byId(endpoints),
      audits,
      notifications,
      outbox,
    };
  });
}

function all(db: Db, collection: string, session: ClientSession): Promise<Document[]> {
  return db.collection(collection).find({}, { session, batchSize: 5_000 }).toArray();
}

function rowOf(row: Document): Row {
  return {
    id: row._id,
    endpointId: row.endpointId,
    eventType: row.eventType,
    tokenId: row.payload?.tokenId ?? null,
    payloadHash: hashOf(row.payload),
    status: row.status,
    failureReason: row.failureReason,
    attempts: row.attempts,
    lastAttempt: row.lastAttempt === null ? null : factsOf(row.lastAttempt),
    nextAttemptAt: momentOf(row.nextAttemptAt),
    dueAt: momentOf(row.dueAt),
    createdAt: row.createdAt.getTime(),
    replayedFrom: row.replayedFrom,
    failingSince: momentOf(row.failingSince),
    hash: hashOf(row),
  };
}

function attemptOf(attempt: Document): AttemptRow {
  return {
    id: attempt._id,
    deliveryId: attempt.deliveryId,
    endpointId: attempt.endpointId,
    status: attempt.status,
    ...factsOf(attempt),
    streak: streakOf(attempt.streak),
    hash: hashOf(attempt),
  };
}

function factsOf(attempt: Document): AttemptFacts {
  return {
    ordinal: attempt.ordinal,
    failureReason: attempt.failureReason,
    httpStatus: attempt.httpStatus,
    responseBody: attempt.responseBody,
    attemptedAt: attempt.attemptedAt.getTime(),
    durationMs: attempt.durationMs,
  };
}

function endpointOf(endpoint: Document): EndpointRow {
  return {
    id: endpoint._id,
    path: new URL(endpoint.url).pathname,
    eventTypes: endpoint.subscriptions.map(({ eventType }: { eventType: string }) => eventType),
    enabled: endpoint.enabled,
    deleted: endpoint.deletedAt !== null,
    streak: endpoint.consecutiveFailures,
    streakVersion: endpoint.streakVersion,
    createdAt: endpoint.createdAt.getTime(),
  };
}

function auditOf(audit: Document): AuditRow {
  return {
    id: audit._id,
    action: audit.action,
    targetId: audit.target.id,
    madeId: audit.metadata.replayDeliveryId ?? audit.metadata.deliveryId ?? null,
    reason: audit.metadata.reason ?? null,
    createdAt: audit.createdAt.getTime(),
    streak: streakOf(audit.streak),
  };
}

function notificationOf(notification: Document): NotificationRow {
  const { failingSince } = notification.data;
  return {
    id: notification._id,
    kind: notification.kind,
    endpointId: notification.endpointId,
    failingSince: failingSince === undefined ? null : Date.parse(failingSince),
  };
}

function streakOf(streak: StreakChange | null | undefined): StreakChange | null {
  return streak ?? null;
}

function momentOf(date: Date | null | undefined): number | null {
  return date?.getTime() ?? null;
}

function hashOf(document: unknown): string {
  return createHash('sha1').update(JSON.stringify(document)).digest('base64');
}
