import { asId, firstIdAt } from '../domain/id.js';
import type { DigestStore, WorkspacePage } from '../ports/housekeeping.js';
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

const disabledIn = ({ from, to }: Pick<WorkspacePage, 'from' | 'to'>) =>
  ({ action: 'webhook_endpoint.disabled', createdAt: { $gte: from, $lt: to } }) as const;

/** An entry of an endpoint that was disabled already has the reason for which it was. */
const WAS_ENABLED = { 'metadata.previousReason': { $exists: false } } as const;

export function createDigestStore({ newTraceId, ...parts }: DigestParts): DigestStore {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  const countIn = countDeliveries(collections);
  const progress = parts.database.db.collection<ProgressDocument>('meta');
  return {
    async workspaces({ after, limit, from, to }) {
      const page = await collections.workspaces
        .find(after === null ? {} : { _id: { $gt: after } }, {
          projection: { _id: 1 },
          sort: { _id: 1 },
          limit,
        })
        .toArray();
      const workspaceId = { $in: page.map(({ _id }) => _id) };
      const span = { $gte: firstIdAt('delivery', from), $lt: firstIdAt('delivery', to) };
      // Both read one index key of each workspace.
      const active = await Promise.all([
        collections.deliveries.distinct('workspaceId', { workspaceId, _id: span }),
        collections.auditEvents.distinct('workspaceId', { workspaceId, ...disabledIn({ from, to }) }),
      ]);
      const isActive = new Set<string>(active.flat());
      return page.map(({ _id }) => ({ id: asId('workspace', _id), isActive: isActive.has(_id) }));
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
    async activityOf(workspaceIds, from, to) {
      const [deliveriesOf, disabled] = await Promise.all([
        countIn(workspaceIds, from, to),
        collections.auditEvents
          .aggregate<{ _id: string; count: number }>([
            {
              $match: {
                workspaceId: { $in: [...workspaceIds] },
                ...disabledIn({ from, to }),
                ...WAS_ENABLED,
              },
            },
            { $group: { _id: { workspaceId: '$workspaceId', endpointId: '$target.id' } } },
            { $group: { _id: '$_id.workspaceId', count: { $sum: 1 } } },
          ])
          .toArray(),
      ]);
      const disabledOf = new Map(disabled.map(({ _id, count }) => [_id, count]));
      return workspaceIds.map((workspaceId) => ({
        workspaceId,
        deliveries: deliveriesOf(workspaceId),
        endpointsDisabled: disabledOf.get(workspaceId) ?? 0,
      }));
    },
    async announce(notifications) {
      const announcements = notifications.map((notification) => ({ notification, traceId: newTraceId() }));
      const { records } = await transact(async (session) => {
        const records = await announceOnce(collections, announcements, session);
        return { result: null, records };
      });
      return records.length;
    },
  };
}
