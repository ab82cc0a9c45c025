import type { Notification } from '@postrider/shared/domain/notification';
import type * as wire from '../contract/notification.js';

export function showNotification(notification: Notification): wire.Notification {
  const { id, kind, message, endpointId, data, createdAt } = notification;
  return { id, kind, message, endpointId, data: { ...data }, createdAt: createdAt.toISOString() };
}
