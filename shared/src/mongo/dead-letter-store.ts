import type { DeadLetterStore } from '../ports/dead-letter.js';
import { announceOnce } from './announce.js';
import { toAttemptDocument } from './documents.js';
import { type OutboxTransactionParts, outboxTransaction } from './outbox-transaction.js';
import { readStored, updateOfDelivery } from './settlement-store.js';

export function createDeadLetterStore(parts: OutboxTransactionParts): DeadLetterStore {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  return {
    async settle(letters, decide) {
      const { result, records } = await transact(async (session) => {
        const settlements = decide(await readStored(collections, letters, session));
        const fresh = settlements.filter((settlement) => settlement !== null);
        if (fresh.length === 0) return { result: settlements, records: [] };
        const attempts = fresh.map(({ attempt }) => toAttemptDocument(attempt));
        await collections.attempts.insertMany(attempts, { session });
        const updates = fresh.map(({ delivery }) => updateOfDelivery(delivery));
        await collections.deliveries.bulkWrite(updates, { session, ordered: false });
        const announcements = fresh.map(({ notification, delivery }) => {
          return { notification, traceId: delivery.traceId };
        });
        return { result: settlements, records: await announceOnce(collections, announcements, session) };
      });
      return { settlements: result, records };
    },
  };
}
