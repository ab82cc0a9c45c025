import type { ClientSession } from 'mongodb';
import type { Announcement } from '../domain/settle-all.js';
import { notificationRecord } from '../outbox/record.js';
import type { OutboxRecord } from '../ports/outbox.js';
import type { Collections } from './collections.js';
import { toDocument } from './documents.js';

/**
 * Stores notifications whose ids follow from their causes; of several with the same id only the first.
 *
 * @param announcements at least one
 * @returns the outbox records of the notifications that were new
 */
export async function announceOnce(
  { notifications }: Pick<Collections, 'notifications'>,
  announcements: readonly Announcement[],
  session: ClientSession,
): Promise<readonly OutboxRecord[]> {
  const upserts = announcements.map(({ notification }) => {
    const { _id, ...fresh } = toDocument(notification);
    return { updateOne: { filter: { _id }, update: { $setOnInsert: fresh }, upsert: true } };
  });
  const { upsertedIds } = await notifications.bulkWrite(upserts, { session });
  return announcements
    .filter((_, index) => index in upsertedIds)
    .map(({ notification, traceId }) => notificationRecord(notification, traceId));
}
