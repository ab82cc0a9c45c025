import type { ClientSession } from 'mongodb';
import { distinct } from '../domain/distinct.js';
import type { EndpointStanding, EndpointTarget } from '../domain/endpoint.js';
import { FEATURES_OF_KINDS } from '../domain/notification.js';
import type { Observation } from '../domain/settle.js';
import type { Announcement, SettledBatch, Stored } from '../domain/settle-all.js';
import { notificationRecord } from '../outbox/record.js';
import type { SettlementStore } from '../ports/settlement.js';
import { coalesce } from '../runtime/coalesce.js';
import type { Collections, Document } from './collections.js';
import { type FieldsOf, fromDeliveryDocument, fromDocument, toDocument } from './documents.js';
import { type OutboxTransactionParts, outboxTransaction } from './outbox-transaction.js';
import { recordAttempts } from './record-attempts.js';
import { insertReplayJob } from './replay-job-documents.js';
import { type AttemptWriter, writeAttempts } from './write-attempts.js';

export interface SettlementStoreParts extends OutboxTransactionParts, Pick<AttemptWriter, 'featureLevel'> {}

/** Writes a batch of observations in one transaction, or attempts that change nothing else by guarded updates, which rows with the same guard share. */
export function createSettlementStore(parts: SettlementStoreParts): SettlementStore {
  const { featureLevel } = parts;
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  return {
    read: coalesce(readTogether(collections)),
    async deliveredOf(ids) {
      const filter = { _id: { $in: [...ids] }, status: 'delivered' as const };
      const found = await collections.deliveries.find(filter, { projection: { _id: 1 } }).toArray();
      const delivered = new Set(found.map(({ _id }) => _id));
      return new Set(ids.filter((id) => delivered.has(id)));
    },
    async settle(observations, decide) {
      const { result } = await transact(async (session) => {
        const decided = decide(await readStored(collections, observations, session));
        const batch = {
          ...decided,
          announcements: decided.announcements.filter(mayBePublished(featureLevel)),
        };
        await writeAttempts({ collections, featureLevel }, batch, session);
        await writeEffects(collections, batch, session);
        const records = batch.announcements.map(({ notification, traceId }) =>
          notificationRecord(notification, traceId),
        );
        return { result: batch, records };
      });
      return result;
    },
    record: recordAttempts(collections, parts.database.client),
    async postpone(until) {
      const updates = [...until].map(([_id, dueAt]) => {
        const nextAttemptAt = { $cond: [{ $eq: ['$nextAttemptAt', null] }, null, dueAt] };
        return {
          updateOne: {
            filter: { _id, dueAt: { $lt: dueAt } },
            update: [{ $set: { dueAt, nextAttemptAt } }],
          },
        };
      });
      await collections.deliveries.bulkWrite(updates, { ordered: false });
    },
  };
}

/** Until every process has the schema of a notification, it is neither stored nor published. */
function mayBePublished(featureLevel: SettlementStoreParts['featureLevel']) {
  return ({ notification }: Announcement) => {
    const feature = FEATURES_OF_KINDS[notification.kind];
    return feature === undefined || featureLevel.allows(feature);
  };
}

type Ids = Parameters<SettlementStore['read']>[0];

/** The projection of what settling needs of an endpoint. */
export const STANDING: FieldsOf<EndpointStanding> = {
  workspaceId: 1,
  url: 1,
  enabledSince: 1,
  disabledAt: 1,
  lastPeriod: 1,
  recovery: 1,
  probeAt: 1,
  enabled: 1,
  disabledReason: 1,
  consecutiveFailures: 1,
  streakVersion: 1,
  failingSince: 1,
  deletedAt: 1,
};
/** The fields of an endpoint that sending needs. */
export const TARGET: FieldsOf<EndpointTarget> = { ...STANDING, secrets: 1, headers: 1, ratePerSecond: 1 };

/** Concurrent reads share a query: a query for 100 rows costs little more than one for 25. */
function readTogether({ deliveries, endpoints }: Collections) {
  const findRows = (filter: { _id: { $in: string[] } }) =>
    deliveries.find(filter, { projection: { records: 0 } }).toArray();
  const findOwners = (filter: { _id: { $in: string[] } }) =>
    endpoints.find<Document<EndpointTarget>>(filter, { projection: TARGET }).toArray();
  return async (chunks: readonly Ids[]): ReturnType<SettlementStore['read']> => {
    const deliveryIds = distinct(chunks.flatMap((chunk) => chunk.deliveryIds));
    const endpointIds = distinct(chunks.flatMap((chunk) => chunk.endpointIds));
    const [rows, owners] = await Promise.all([
      deliveryIds.length === 0 ? [] : findRows({ _id: { $in: deliveryIds } }),
      endpointIds.length === 0 ? [] : findOwners({ _id: { $in: endpointIds } }),
    ]);
    return {
      deliveries: byId(rows.map(fromDeliveryDocument)),
      endpoints: byId(owners.map(fromDocument<EndpointTarget>)),
    };
  };
}

/** Reads the parts of the rows and endpoints that settling needs. */
export async function readStored(
  { deliveries, endpoints }: Collections,
  touched: readonly Pick<Observation, 'deliveryId' | 'endpointId'>[],
  session: ClientSession,
): Promise<Stored> {
  const deliveryIds = distinct(touched.map(({ deliveryId }) => deliveryId));
  const endpointIds = distinct(touched.map(({ endpointId }) => endpointId));
  const rows = await deliveries
    .find({ _id: { $in: deliveryIds } }, { projection: { payload: 0, records: 0 }, session })
    .toArray();
  const owners = await endpoints
    .find<Document<EndpointStanding>>({ _id: { $in: endpointIds } }, { projection: STANDING, session })
    .toArray();
  return {
    deliveries: byId(rows.map(fromDeliveryDocument)),
    endpoints: byId(owners.map(fromDocument<EndpointStanding>)),
  };
}

function byId<T extends { readonly id: string }>(things: readonly T[]): Map<T['id'], T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

async function writeEffects(
  collections: Collections,
  { endpoints, audits, announcements, replayJobs }: SettledBatch,
  session: ClientSession,
): Promise<void> {
  const notifications = announcements.map(({ notification }) => toDocument(notification));
  if (endpoints.length > 0)
    await collections.endpoints.bulkWrite(endpoints.map(updateOfEndpoint), { session, ordered: false });
  for (const job of replayJobs) await insertReplayJob(collections, job, session);
  if (audits.length > 0) await collections.auditEvents.insertMany(audits.map(toDocument), { session });
  if (notifications.length > 0) await collections.notifications.insertMany(notifications, { session });
}

function updateOfEndpoint(endpoint: EndpointStanding) {
  const { enabled, disabledReason, consecutiveFailures, streakVersion, failingSince } = endpoint;
  const { enabledSince, disabledAt = null, lastPeriod, probeAt } = endpoint;
  const $set = {
    ...{
      enabled,
      disabledReason,
      enabledSince,
      disabledAt,
      consecutiveFailures,
      streakVersion,
      failingSince,
    },
    ...(lastPeriod !== undefined && { lastPeriod }),
    ...(probeAt !== undefined && { probeAt }),
  };
  return { updateOne: { filter: { _id: endpoint.id }, update: { $set } } };
}
