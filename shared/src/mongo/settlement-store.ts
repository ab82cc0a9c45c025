import type { ClientSession } from 'mongodb';
import type { SettledEndpoint } from '../domain/endpoint.js';
import { FEATURES_OF_KINDS } from '../domain/notification.js';
import type { Announcement, SettledBatch } from '../domain/settle-all.js';
import { notificationRecord } from '../outbox/record.js';
import type { SettlementStore } from '../ports/settlement.js';
import { coalesce } from '../runtime/coalesce.js';
import type { Collections } from './collections.js';
import { toDocument } from './documents.js';
import { outboxTransaction } from './outbox-transaction.js';
import { readStored, readTogether } from './read-stored.js';
import { recordAttempts } from './record-attempts.js';
import { insertReplayJob } from './replay-job-documents.js';
import { type AttemptStoreParts, writeAttempts } from './write-attempts.js';

/** Writes observations in one transaction, or attempts that change nothing else by guarded updates that rows share. */
export function createSettlementStore(parts: AttemptStoreParts): SettlementStore {
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
    async moveDueTimes(until) {
      const updates = [...until].map(([_id, dueAt]) => ({
        updateOne: { filter: { _id, dueAt: { $lt: dueAt } }, update: dueFrom(dueAt) },
      }));
      await collections.deliveries.bulkWrite(updates, { ordered: false });
    },
    async extendDueTimes(attempts, until) {
      // Each on its own: an update of several rows ends at the first one that the database rejects.
      const updates = attempts.map(({ deliveryId: _id, ordinal }) => ({
        updateOne: {
          filter: { _id, attempts: ordinal - 1, dueAt: { $lt: until } },
          update: dueFrom(until),
        },
      }));
      await collections.deliveries.bulkWrite(updates, { ordered: false });
    },
  };
}

/** Moves the due time of a row, and the time of its next attempt if it has one. */
function dueFrom(dueAt: Date) {
  return [{ $set: { dueAt, nextAttemptAt: { $cond: [{ $eq: ['$nextAttemptAt', null] }, null, dueAt] } } }];
}

/** Until every process has the schema of a notification, it is neither stored nor published. */
function mayBePublished(featureLevel: AttemptStoreParts['featureLevel']) {
  return ({ notification }: Announcement) => {
    const feature = FEATURES_OF_KINDS[notification.kind];
    return feature === undefined || featureLevel.allows(feature);
  };
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

function updateOfEndpoint(endpoint: SettledEndpoint) {
  const { enabled, disabledReason, consecutiveFailures, streakVersion, failingSince } = endpoint;
  const { enabledSince, disabledAt = null, lastPeriod, earlierPeriods, probeAt } = endpoint;
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
    ...(earlierPeriods !== undefined && { earlierPeriods }),
    ...(probeAt !== undefined && { probeAt }),
  };
  return { updateOne: { filter: { _id: endpoint.id }, update: { $set } } };
}
