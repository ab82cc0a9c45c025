import type { Document, MongoClient } from 'mongodb';
import type { Attempt, DeliverySummary } from '../domain/delivery.js';
import type { SettlementStore } from '../ports/settlement.js';
import { abortingIdleTransactions } from './abort-idle-transactions.js';
import { type Collections, STILL_DUE } from './collections.js';
import { toRecordDocument } from './documents.js';
import { fieldsOf, updateOf } from './write-attempts.js';

/** An attempt with the row that it leads to. */
interface Recorded {
  readonly row: DeliverySummary;
  readonly attempt: Attempt;
}

/**
 * Stores attempts by guarded updates. The first stored observation of an ordinal wins, because an update finds its row only
 * before that: not terminal, one attempt less, and no record of the ordinal. Rows with the same guard and the same kind of
 * end share an update, which the database then plans once.
 */
export function recordAttempts(
  { deliveries }: Pick<Collections, 'deliveries'>,
  client: MongoClient,
): SettlementStore['record'] {
  return async (batch, until) => {
    const rows = new Map(batch.deliveries.map((row) => [row.id, row]));
    const recorded = batch.attempts.flatMap((attempt): Recorded[] => {
      const row = rows.get(attempt.deliveryId);
      return row === undefined ? [] : [{ row, attempt }];
    });
    const groups = Map.groupBy(recorded, ({ row, attempt }) => `${attempt.ordinal} ${row.dueAt === null}`);
    // A bulk write would encode every update twice, to know its size. Nearly always there is one.
    const updates = [...groups.values()].map((group) => {
      const { filter, update } = guardedUpdate(group, until);
      return deliveries.updateMany(filter, update);
    });
    const results = await abortingIdleTransactions(client, Promise.all(updates));
    return results.reduce((sum, { matchedCount }) => sum + matchedCount, 0) === batch.results.length;
  };
}

/** @param group at least one; all have the same ordinal, and all or none have ended */
function guardedUpdate(group: readonly Recorded[], until: Date) {
  const [{ row, attempt }] = group as readonly [Recorded];
  const guard = {
    attempts: attempt.ordinal - 1,
    ...STILL_DUE,
    'records.ordinal': { $ne: attempt.ordinal },
    $expr: { $lt: ['$$NOW', until] },
  };
  const ids = group.map((one) => one.row.id);
  if (group.length === 1) return { filter: { _id: row.id, ...guard }, update: updateOf(row, [attempt]) };
  return { filter: { _id: { $in: ids }, ...guard }, update: updateOfEach(group, ids) };
}

/** Has the effect of `updateOf` on each row: a row's values have the same index as its id in `ids`. */
function updateOfEach(group: readonly Recorded[], ids: readonly string[]): Document[] {
  const values = group.map(({ row, attempt }) => ({
    fields: fieldsOf(row),
    records: [toRecordDocument(attempt)],
  }));
  const own = { $arrayElemAt: [{ $literal: values }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
  const records = { $concatArrays: [{ $ifNull: ['$records', []] }, '$$own.records'] };
  const merged = { $mergeObjects: ['$$ROOT', '$$own.fields', { records }] };
  const replace = { $replaceWith: { $let: { vars: { own }, in: merged } } };
  return group[0]?.row.dueAt === null ? [replace, { $unset: 'dueAt' }] : [replace];
}
