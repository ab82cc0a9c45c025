import { createHash } from 'node:crypto';
import type { Db, Document, MongoClient } from 'mongodb';

/** The stored data at one moment. Times are in milliseconds; a hash covers the whole document. */
export interface Snapshot {
  readonly at: number;
  readonly deliveries: ReadonlyMap<string, DeliveryRow>;
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  readonly endpoints: ReadonlyMap<string, EndpointRow>;
  readonly audits: readonly AuditRow[];
  readonly notifications: readonly NotificationRow[];
  /** Ids of outbox records that are not published yet. */
  readonly outbox: readonly string[];
}

export interface StreakChange {
  readonly version: number;
  readonly before: number;
  readonly after: number;
}

export type DeliveryRow = Readonly<ReturnType<typeof readDelivery>>;
export type AttemptRow = Readonly<ReturnType<typeof readAttempt>>;
/** The fields that an attempt and the summary of its delivery both store. */
export type AttemptResult = Readonly<ReturnType<typeof readResult>>;
export type EndpointRow = Readonly<ReturnType<typeof readEndpoint>>;
export type AuditRow = Readonly<ReturnType<typeof readAudit>>;
export type NotificationRow = Readonly<ReturnType<typeof readNotification>>;

/** Reads all collections as of one moment. Uses their names and fields only, none of the services' code. */
export async function takeSnapshot(client: MongoClient, db: Db): Promise<Snapshot> {
  // Everything that was answered before this moment is part of the snapshot.
  const at = Date.now();
  return client.withSession({ snapshot: true }, async (session) => {
    const read = async <T>(collection: string, map: (stored: Document) => T) =>
      (await db.collection(collection).find({}, { session, batchSize: 5_000 }).toArray()).map(map);
    const rows = await read('deliveries', (stored) => stored);
    const separate = await read('delivery_attempts', readAttempt);
    return {
      at,
      deliveries: byId(rows.map(readDelivery)),
      attempts: byId(withDistinctIds([...separate, ...rows.flatMap(readEmbedded)])),
      endpoints: byId(await read('endpoints', readEndpoint)),
      audits: await read('audit_events', readAudit),
      notifications: await read('notifications', readNotification),
      outbox: await read('outbox', ({ _id }) => String(_id)),
    };
  });
}

export const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]));

const readDelivery = (stored: Document) => ({
  id: stored._id as string,
  endpointId: stored.endpointId as string,
  eventType: stored.eventType as string,
  /** Null for test events. */
  tokenId: (stored.payload?.tokenId ?? null) as string | null,
  payloadHash: hashOf(stored.payload),
  status: stored.status as string,
  failureReason: stored.failureReason as string | null,
  attempts: stored.attempts as number,
  lastAttempt: stored.lastAttempt === null ? null : readResult(stored.lastAttempt),
  nextAttemptAt: timeOf(stored.nextAttemptAt),
  dueAt: timeOf(stored.dueAt),
  createdAt: stored.createdAt.getTime() as number,
  replayedFrom: stored.replayedFrom as string | null,
  failingSince: timeOf(stored.failingSince),
  hash: hashOf(stored),
});

const readAttempt = (stored: Document) => ({
  id: stored._id as string,
  deliveryId: stored.deliveryId as string,
  endpointId: stored.endpointId as string,
  status: stored.status as string,
  ...readResult(stored),
  streak: (stored.streak ?? null) as StreakChange | null,
  hash: hashOf(stored),
});

/** A record whose ordinal is stored twice gets an id of its own, so that it is not overlooked. */
function withDistinctIds(attempts: readonly AttemptRow[]): AttemptRow[] {
  const seen = new Set<string>();
  return attempts.map((attempt, index) => {
    const id = seen.has(attempt.id) ? `${attempt.id} again, ${index}` : attempt.id;
    seen.add(attempt.id);
    return { ...attempt, id };
  });
}

/** The attempts in a row; their other fields are the row's. */
const readEmbedded = ({ _id, endpointId, records = [] }: Document): AttemptRow[] =>
  records.map((record: Document) =>
    readAttempt({ ...record, _id: `${_id}:${record.ordinal}`, deliveryId: _id, endpointId }),
  );

const readResult = (stored: Document) => ({
  ordinal: stored.ordinal as number,
  failureReason: stored.failureReason as string | null,
  httpStatus: stored.httpStatus as number | null,
  responseBody: stored.responseBody as string | null,
  attemptedAt: stored.attemptedAt.getTime() as number,
  durationMs: stored.durationMs as number | null,
});

const readEndpoint = (stored: Document) => ({
  id: stored._id as string,
  path: new URL(stored.url).pathname,
  eventTypes: stored.subscriptions.map(({ eventType }: Document) => eventType) as string[],
  enabled: stored.enabled as boolean,
  deleted: stored.deletedAt !== null,
  streak: stored.consecutiveFailures as number,
  streakVersion: stored.streakVersion as number,
  createdAt: stored.createdAt.getTime() as number,
});

const readAudit = (stored: Document) => ({
  id: stored._id as string,
  action: stored.action as string,
  targetId: stored.target.id as string,
  /** The delivery created by a replay or a test. */
  createdId: (stored.metadata.replayDeliveryId ?? stored.metadata.deliveryId ?? null) as string | null,
  reason: (stored.metadata.reason ?? null) as string | null,
  createdAt: stored.createdAt.getTime() as number,
  streak: (stored.streak ?? null) as StreakChange | null,
});

const readNotification = ({ _id, kind, endpointId, data }: Document) => ({
  id: _id as string,
  kind: kind as string,
  endpointId: endpointId as string | null,
  failingSince: data.failingSince === undefined ? null : Date.parse(data.failingSince),
});

const timeOf = (date: Date | null | undefined): number | null => date?.getTime() ?? null;

const hashOf = (document: unknown): string =>
  createHash('sha1').update(JSON.stringify(document)).digest('base64');
