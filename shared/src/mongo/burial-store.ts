import type { Endpoint } from '../domain/endpoint.js';
import { notificationRecord } from '../outbox/record.js';
import type { BurialStore } from '../ports/burial.js';
import type { Clock } from '../ports/clock.js';
import type { OutboxRelay } from '../ports/outbox.js';
import type { Database } from './connect.js';
import { fromDeliveryDocument, fromDocument, toAttemptDocument, toDocument } from './documents.js';
import { promise } from './outbox-store.js';
import { updateOfDelivery } from './settlement-store.js';
import { inTransaction } from './transaction.js';

interface BurialParts {
  readonly database: Database;
  readonly relay: Pick<OutboxRelay, 'offer'>;
  readonly clock: Clock;
  readonly outboxClaimMs: number;
}

export function burialStore({ database, relay, clock, outboxClaimMs }: BurialParts): BurialStore {
  const { client, collections } = database;
  return {
    async bury({ deliveryId, endpointId }, decide) {
      const claimedUntil = new Date(clock.now().getTime() + outboxClaimMs);
      const records = await inTransaction(client, async (session) => {
        const row = await collections.deliveries.findOne({ _id: deliveryId }, { session });
        const endpoint = await collections.endpoints.findOne({ _id: endpointId }, { session });
        const burial = decide({
          delivery: row && fromDeliveryDocument(row),
          endpoint: endpoint && fromDocument<Endpoint>(endpoint),
        });
        if (burial === null) return [];
        await collections.attempts.insertOne(toAttemptDocument(burial.attempt), { session });
        await collections.deliveries.bulkWrite([updateOfDelivery(burial.delivery)], { session });
        const { _id, ...fresh } = toDocument(burial.notification);
        const announced = await collections.notifications.updateOne(
          { _id },
          { $setOnInsert: fresh },
          { upsert: true, session },
        );
        const records =
          announced.upsertedCount === 1
            ? [notificationRecord(burial.notification, burial.delivery.traceId)]
            : [];
        await promise(collections, records, { claimedUntil, session });
        return records;
      });
      relay.offer(records);
      return records;
    },
  };
}
