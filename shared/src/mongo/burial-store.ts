import type { Endpoint } from '../domain/endpoint.js';
import type { BurialStore } from '../ports/burial.js';
import { announceOnce } from './announce.js';
import { fromDeliveryDocument, fromDocument, toAttemptDocument } from './documents.js';
import { type PromisingParts, promisingTransactions } from './promising.js';
import { updateOfDelivery } from './settlement-store.js';

export function burialStore(parts: PromisingParts): BurialStore {
  const { collections } = parts.database;
  const transact = promisingTransactions(parts);
  return {
    async bury({ deliveryId, endpointId }, decide) {
      const { records } = await transact(async (session) => {
        const row = await collections.deliveries.findOne({ _id: deliveryId }, { session });
        const endpoint = await collections.endpoints.findOne({ _id: endpointId }, { session });
        const burial = decide({
          delivery: row && fromDeliveryDocument(row),
          endpoint: endpoint && fromDocument<Endpoint>(endpoint),
        });
        if (burial === null) return { result: null, records: [] };
        const { attempt, delivery, notification } = burial;
        await collections.attempts.insertOne(toAttemptDocument(attempt), { session });
        await collections.deliveries.bulkWrite([updateOfDelivery(delivery)], { session });
        const announcing = { notification, traceId: delivery.traceId, session };
        return { result: null, records: await announceOnce(collections, announcing) };
      });
      return records;
    },
  };
}
