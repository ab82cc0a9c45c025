import { asId } from '../domain/id.js';
import type { DigestStore } from '../ports/housekeeping.js';
import { announceOnce } from './announce.js';
import { countDeliveries } from './delivery-counts.js';
import { type OutboxTransactionParts, outboxTransaction } from './outbox-transaction.js';

interface DigestParts extends OutboxTransactionParts {
  readonly newTraceId: () => string;
}

export function createDigestStore({ newTraceId, ...parts }: DigestParts): DigestStore {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  return {
    async workspaceIds(after, limit) {
      const found = await collections.workspaces
        .find(after === null ? {} : { _id: { $gt: after } }, {
          projection: { _id: 1 },
          sort: { _id: 1 },
          limit,
        })
        .toArray();
      return found.map(({ _id }) => asId('workspace', _id));
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
