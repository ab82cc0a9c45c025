import type { AuditAction } from '../domain/audit-event.js';
import type { DeliveryStatus } from '../domain/delivery.js';
import type { WorkspaceId } from '../domain/id.js';
import type { Notification } from '../domain/notification.js';

/** What the janitor asks of the database to remove expired history. */
export interface History {
  /**
   * Removes up to `limit` deliveries that were made before `before` and have ended, the oldest first, together with
   * their attempts, in one transaction. What is still due stays, however old it is.
   *
   * @returns how many deliveries were removed
   */
  removeExpired(before: Date, limit: number): Promise<number>;
  /** Removes up to `limit` deleted endpoints that no delivery is left of. @returns how many */
  removeTombstones(limit: number): Promise<number>;
}

/** A workspace's deliveries of a span of time, by status. */
export type StatusCounts = Readonly<Record<DeliveryStatus, number>>;

/** What the janitor asks of the database for the daily digest. */
export interface DigestStore {
  /** Every workspace, in pages forward on the id. */
  workspaceIds(after: string | null, limit: number): Promise<readonly WorkspaceId[]>;
  /** Those of these notifications that are stored. */
  stored(notificationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Deliveries created from `from` (inclusive) to `to` (exclusive). */
  countDeliveries(workspaceId: string, from: Date, to: Date): Promise<StatusCounts>;
  countAudits(workspaceId: string, action: AuditAction, from: Date, to: Date): Promise<number>;
  /** Stores a notification and promises it to the outbox, unless it is there already. @returns whether it was new */
  announce(notification: Notification): Promise<boolean>;
}
