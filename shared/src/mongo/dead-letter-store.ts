import type { DeadLetterStore } from '../ports/dead-letter.js';
import { announceOnce } from './announce.js';
import { outboxTransaction } from './outbox-transaction.js';
import { readStored } from './read-stored.js';
import { type AttemptStoreParts, writeAttempts } from './write-attempts.js';

export function createDeadLetterStore(parts: AttemptStoreParts): DeadLetterStore {
  const { featureLevel } = parts;
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  return {
    async settle(letters, decide) {
      const { result, records } = await transact(async (session) => {
        const settlements = decide(await readStored(collections, letters, session));
        const settled = settlements.filter((settlement) => settlement !== null);
        if (settled.length === 0) return { result: settlements, records: [] };
        const attempts = settled.map(({ attempt }) => attempt);
        const deliveries = settled.map(({ delivery }) => delivery);
        await writeAttempts({ collections, featureLevel }, { deliveries, attempts }, session);
        const announcements = settled.map(({ notification, delivery }) => {
          return { notification, traceId: delivery.traceId };
        });
        return { result: settlements, records: await announceOnce(collections, announcements, session) };
      });
      return { settlements: result, records };
    },
  };
}
