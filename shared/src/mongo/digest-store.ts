import { notificationRecord } from '../outbox/record.js';
import type { Clock } from '../ports/clock.js';
import type { DigestStore } from '../ports/housekeeping.js';
import type { OutboxRelay } from '../ports/outbox.js';
import type { Database } from './connect.js';
import { countDeliveries } from './delivery-counts.js';
import { toDocument } from './documents.js';
import { promise } from './outbox-store.js';
import { inTransaction } from './transaction.js';

interface DigestParts {
  readonly database: Database;
  readonly relay: Pick<OutboxRelay, 'offer'>;
  readonly clock: Clock;
  readonly outboxClaimMs: number;
  readonly newTraceId: () => string;
}

export function digestStore({ database, relay, clock, outboxClaimMs, newTraceId }: DigestParts): DigestStore {
  const { client, collections } = database;
  return {
    async workspaceIds(after, limit) {
      const found = await collections.workspaces
        .find(after === null ? {} : { _id: { $gt: after } }, {
          projection: { _id: 1 },
          sort: { _id: 1 },
          limit,
        })
        .toArray();
      return found.map(({ _id }) => _id);
    },
    countDeliveries: countDeliveries(collections),
    countAudits: (workspaceId, action, from, to) =>
      collections.auditEvents.countDocuments({ workspaceId, createdAt: { $gte: from, $lt: to }, action }),
    async announce(notification) {
      const claimedUntil = new Date(clock.now().getTime() + outboxClaimMs);
      const records = await inTransaction(client, async (session) => {
        const { _id, ...fresh } = toDocument(notification);
        const stored = await collections.notifications.updateOne(
          { _id },
          { $setOnInsert: fresh },
          { upsert: true, session },
        );
        if (stored.upsertedCount === 0) return [];
        const record = notificationRecord(notification, newTraceId());
        await promise(collections, [record], { claimedUntil, session });
        return [record];
      });
      relay.offer(records);
      return records.length > 0;
    },
  };
}
