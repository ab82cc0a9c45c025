import type { Announcement } from '../domain/settle-all.js';
import type { DeadLetterStore } from '../ports/dead-letter.js';
import type { OutboxRecord } from '../ports/outbox.js';
import {
  announce,
  attemptKey,
  type InMemoryRows,
  readStored,
  refuseDuplicates,
  updateSummary,
} from './in-memory-rows.js';

export function createInMemoryDeadLetters(
  rows: InMemoryRows,
  offer: (records: readonly OutboxRecord[]) => void,
): DeadLetterStore {
  const { attempts, notifications } = rows;
  return {
    async settle(letters, decide) {
      const decided = decide(readStored(rows, letters));
      const settled = decided.filter((settlement) => settlement !== null);
      const keys = settled.map(({ attempt }) => attemptKey(attempt));
      refuseDuplicates(attempts, keys);
      const announcements = new Map<string, Announcement>();
      for (const { attempt, delivery, notification } of settled) {
        attempts.set(attemptKey(attempt), attempt);
        updateSummary(rows, delivery);
        const { id } = notification;
        if (!notifications.has(id) && !announcements.has(id))
          announcements.set(id, { notification, traceId: delivery.traceId });
      }
      const records = announce(rows, [...announcements.values()]);
      offer(records);
      return { settlements: decided, records };
    },
  };
}
