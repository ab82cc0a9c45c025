import type { ClientSession } from 'mongodb';
import type { Attempt, DeliverySummary } from '../domain/delivery.js';
import type { FeatureLevel } from '../ports/feature-level.js';
import type { Collections } from './collections.js';
import { toAttemptDocument, toRecordDocument } from './documents.js';
import type { OutboxTransactionParts } from './outbox-transaction.js';

interface SettledRows {
  /** Each row once, in its last state. */
  readonly deliveries: readonly DeliverySummary[];
  /** By ordinal. Their deliveries are among the rows. */
  readonly attempts: readonly Attempt[];
}

export interface AttemptWriter {
  readonly collections: Pick<Collections, 'deliveries' | 'attempts'>;
  /** Until every process reads attempts from rows, they are stored in their own collection. */
  readonly featureLevel: Pick<FeatureLevel, 'allows'>;
}

/** The parts for stores that write attempts and announce their consequences. */
export interface AttemptStoreParts extends OutboxTransactionParts, Pick<AttemptWriter, 'featureLevel'> {}

/** Stores attempts and the rows that they lead to, within a transaction that has read these rows. */
export async function writeAttempts(
  { collections, featureLevel }: AttemptWriter,
  { deliveries, attempts }: SettledRows,
  session: ClientSession,
): Promise<void> {
  if (deliveries.length === 0) return;
  const isEmbedding = featureLevel.allows('embeddedAttempts');
  if (!isEmbedding) await collections.attempts.insertMany(attempts.map(toAttemptDocument), { session });
  const byDelivery = Map.groupBy(isEmbedding ? attempts : [], ({ deliveryId }) => deliveryId);
  const updates = deliveries.map((row) => ({
    updateOne: { filter: { _id: row.id }, update: updateOf(row, byDelivery.get(row.id) ?? []) },
  }));
  await collections.deliveries.bulkWrite(updates, { session, ordered: false });
}

/** The update of all fields of a row that an attempt changes, and of its attempts. */
export function updateOf(row: DeliverySummary, attempts: readonly Attempt[]) {
  const $set = fieldsOf(row);
  const $push = attempts.length > 0 && { $push: { records: { $each: attempts.map(toRecordDocument) } } };
  if (row.dueAt === null) return { $set, $unset: { dueAt: 1 as const }, ...$push };
  return { $set, ...$push };
}

/** The fields of a row that an attempt changes; without its due time once it has ended. */
export function fieldsOf(row: DeliverySummary) {
  const { status, failureReason, attempts, nextAttemptAt, lastAttempt, failingSince, dueAt } = row;
  const { heldSince, lastResponse } = row;
  return {
    ...{ status, failureReason, attempts, nextAttemptAt, lastAttempt, failingSince },
    ...(heldSince && { heldSince }),
    ...(lastResponse !== undefined && { lastResponse }),
    ...(dueAt !== null && { dueAt }),
  };
}
