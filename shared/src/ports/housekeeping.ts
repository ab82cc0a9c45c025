import type { AuditAction } from '../domain/audit-event.js';
import type { DeliveryStatus } from '../domain/delivery.js';
import type { WorkspaceId } from '../domain/id.js';
import type { Notification } from '../domain/notification.js';

/** The janitor's port to expired history. */
export interface History {
  /**
   * Removes up to `limit` terminal deliveries created before `before`, the oldest first, with their attempts, in one
   * transaction. Deliveries that are still due are kept, however old they are.
   *
   * @returns the number of removed deliveries
   */
  removeExpired(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` deleted endpoints without deliveries. @returns how many */
  removeTombstones(limit: number): Promise<number>;
}

/** A workspace's deliveries of a span of time, by status. */
export type StatusCounts = Readonly<Record<DeliveryStatus, number>>;

/** The janitor's port for the daily digest. */
export interface DigestStore {
  /** The ids of all workspaces, in pages ascending by id. */
  workspaceIds(after: string | null, limit: number): Promise<readonly WorkspaceId[]>;
  /** Returns which of these notifications are stored. */
  stored(notificationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deliveries created from `from` (inclusive) to `to` (exclusive). */
  countDeliveries(workspaceId: string, from: Date, to: Date): Promise<StatusCounts>;
  countAudits(workspaceId: string, action: AuditAction, from: Date, to: Date): Promise<number>;
  /** Stores a notification and its outbox record unless it exists. @returns whether it was new */
  announce(notification: Notification): Promise<boolean>;
}
