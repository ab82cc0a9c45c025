import type * as wire from '@postrider/shared/contract/notification';
import type { Notification } from '@postrider/shared/domain/notification';

export function showNotification(notification: Notification): wire.Notification {
  const { id, kind, message, endpointId, data, createdAt } = notification;
  return { id, kind, message, endpointId, data: { ...data }, createdAt: createdAt.toISOString() };
}
