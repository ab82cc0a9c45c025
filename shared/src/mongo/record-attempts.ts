import type { Attempt, DeliverySummary } from '../domain/delivery.js';
import type { SettlementStore } from '../ports/settlement.js';
import { type Collections, STILL_DUE } from './collections.js';
import { updateOf } from './write-attempts.js';

/**
 * Stores attempts by one update for each row. The first stored observation of an ordinal wins, because an update finds its
 * row only before that: not terminal, one attempt less, and no record of the ordinal.
 */
export function recordAttempts({ deliveries }: Pick<Collections, 'deliveries'>): SettlementStore['record'] {
  return async (batch, until) => {
    const rows = new Map(batch.deliveries.map((row) => [row.id, row]));
    const updates = batch.attempts.flatMap((attempt) => {
      const row = rows.get(attempt.deliveryId);
      return row === undefined ? [] : [guardedUpdate(row, attempt, until)];
    });
    const { matchedCount } = await deliveries.bulkWrite(updates, { ordered: false });
    return matchedCount === batch.results.length;
  };
}

function guardedUpdate(row: DeliverySummary, attempt: Attempt, until: Date) {
  const filter = {
    _id: row.id,
    attempts: attempt.ordinal - 1,
    ...STILL_DUE,
    'records.ordinal': { $ne: attempt.ordinal },
    $expr: { $lt: ['$$NOW', until] },
  };
  return { updateOne: { filter, update: updateOf(row, [attempt]) } };
}
