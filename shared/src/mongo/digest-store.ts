import type { Document } from 'mongodb';
import { asId, firstIdAt } from '../domain/id.js';
import type { DigestStore } from '../ports/housekeeping.js';
import { announceOnce } from './announce.js';
import { countDeliveries } from './delivery-counts.js';
import { type OutboxTransactionParts, outboxTransaction } from './outbox-transaction.js';

interface DigestParts extends OutboxTransactionParts {
  readonly newTraceId: () => string;
}

interface ProgressDocument {
  readonly _id: 'digest';
  readonly day: Date;
  readonly after: string | null;
}

/** One row of a workspace that matches: a seek in an index that begins with the workspace. */
const firstOf = (filter: Document) => ({
  localField: '_id',
  foreignField: 'workspaceId',
  pipeline: [{ $match: filter }, { $limit: 1 }, { $project: { _id: 1 } }],
});

export function createDigestStore({ newTraceId, ...parts }: DigestParts): DigestStore {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  const progress = parts.database.db.collection<ProgressDocument>('meta');
  return {
    async workspaces({ after, limit, from, to }) {
      const span = { $gte: firstIdAt('delivery', from), $lt: firstIdAt('delivery', to) };
      const disabled = { action: 'webhook_endpoint.disabled', createdAt: { $gte: from, $lt: to } };
      const found = await collections.workspaces
        .aggregate<{ _id: string; deliveries: unknown[]; audits: unknown[] }>([
          { $match: after === null ? {} : { _id: { $gt: after } } },
          { $sort: { _id: 1 } },
          { $limit: limit },
          { $project: { _id: 1 } },
          {
            $lookup: {
              from: collections.deliveries.collectionName,
              as: 'deliveries',
              ...firstOf({ _id: span }),
            },
          },
          { $lookup: { from: collections.auditEvents.collectionName, as: 'audits', ...firstOf(disabled) } },
        ])
        .toArray();
      return found.map(({ _id, deliveries, audits }) => ({
        id: asId('workspace', _id),
        isActive: deliveries.length > 0 || audits.length > 0,
      }));
    },
    async progress() {
      const found = await progress.findOne({ _id: 'digest' });
      return found && { day: found.day, after: found.after === null ? null : asId('workspace', found.after) };
    },
    async saveProgress({ day, after }) {
      await progress.updateOne({ _id: 'digest' }, { $set: { day, after } }, { upsert: true });
    },
    async stored(notificationIds) {
      const found = collections.notifications.find(
        { _id: { $in: [...notificationIds] } },
        { projection: { _id: 1 } },
      );
      return new Set((await found.toArray()).map(({ _id }) => _id));
    },
    countDeliveries: countDeliveries(collections),
    countAudits: (workspaceId, action, from, to) =>
      collections.auditEvents.countDocuments({ workspaceId, createdAt: { $gte: from, $lt: to }, action }),
    async announce(notification) {
      const traceId = newTraceId();
      const { records } = await transact(async (session) => {
        const records = await announceOnce(collections, [{ notification, traceId }], session);
        return { result: null, records };
      });
      return records.length > 0;
    },
  };
}
