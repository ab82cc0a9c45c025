import type { ClientSession } from 'mongodb';
import type { Notification } from '../domain/notification.js';
import { notificationRecord } from '../outbox/record.js';
import type { OutboxRecord } from '../ports/outbox.js';
import type { Collections } from './collections.js';
import { toDocument } from './documents.js';

interface Announcing {
  readonly notification: Notification;
  readonly traceId: string;
  readonly session: ClientSession;
}

/** Stores a notification whose id says its cause. @returns its outbox record; none when it was stored before */
export async function announceOnce(
  { notifications }: Pick<Collections, 'notifications'>,
  { notification, traceId, session }: Announcing,
): Promise<readonly OutboxRecord[]> {
  const { _id, ...fresh } = toDocument(notification);
  const stored = await notifications.updateOne({ _id }, { $setOnInsert: fresh }, { upsert: true, session });
  return stored.upsertedCount === 1 ? [notificationRecord(notification, traceId)] : [];
}
