import type { DeliveryStatus } from '../domain/delivery.js';
import type { EndpointId, WorkspaceId } from '../domain/id.js';
import type { Notification } from '../domain/notification.js';

/** The janitor's port to expired history. */
export interface History {
  /** How far earlier runs got; null before the first one. */
  progress(): Promise<CleanupProgress | null>;
  saveProgress(progress: CleanupProgress): Promise<void>;
  /**
   * Where a slice of up to `rows` deliveries at the beginning of a range ends: the identifier after them, or the end of the
   * range. Counts deliveries in any state, and reads identifiers only.
   */
  endOfSlice(range: IdRange, rows: number): Promise<string>;
  /**
   * Removes up to `limit` terminal deliveries of a range, the oldest first, with their attempts: all of them or none.
   * Deliveries that are still due are kept, however old they are, and are read: the range should be a slice.
   */
  removeExpired(range: IdRange, limit: number): Promise<RemovalPass>;
  /** Where a slice of up to `rows` records of events without deliveries ends. */
  endOfEventSlice(range: IdRange, rows: number): Promise<string>;
  /** Removes the records of events without deliveries of a range, which should be a slice. @returns how many */
  removeUnmatchedEvents(range: IdRange): Promise<number>;
  /** The endpoints that were deleted before a time, in the order of their deletion, in pages. */
  tombstones(before: Date, limit: number): AsyncIterable<readonly EndpointId[]>;
  /** Removes those of these deleted endpoints that have no deliveries. @returns how many */
  removeTombstones(endpointIds: readonly EndpointId[]): Promise<number>;
}

/** Identifiers of deliveries, or of events. */
export interface IdRange {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly before: string;
}

/** How far the cleanup of deliveries has come. */
export interface CleanupProgress {
  /** All deliveries before this identifier were examined: the ones that are left were still due. */
  readonly examinedTo: string;
  /** All deliveries before this identifier were examined once more by the current round. */
  readonly againTo: string;
}

export interface RemovalPass {
  readonly removed: number;
  /** The last identifier that was removed; null if no more are left in the range. */
  readonly last: string | null;
}

/**
 * A workspace's deliveries of a span of time, by status. Deliveries that were held while their endpoint was disabled are counted
 * separately. While a workspace has very many due rows, the numbers of pending and delivered ones are approximate.
 */
export type StatusCounts = Readonly<Record<DeliveryStatus | 'held', number>>;

export interface WorkspacePage {
  readonly after: string | null;
  readonly limit: number;
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

export interface DayOfWorkspace {
  readonly id: WorkspaceId;
  /** False if no delivery was created and no endpoint was disabled. It may be true nevertheless if one was disabled already. */
  readonly isActive: boolean;
}

/** The activity of a workspace. */
export interface Activity {
  readonly workspaceId: WorkspaceId;
  /** Deliveries that were created. */
  readonly deliveries: StatusCounts;
  readonly endpointsDisabled: number;
}

/** Up to where digests were sent: all days before `day`, and of `day` the workspaces up to `after`. */
export interface DigestProgress {
  readonly day: Date;
  readonly after: WorkspaceId | null;
}

/** The janitor's port for the daily digest. */
export interface DigestStore {
  /** All workspaces, in pages ascending by id, and whether anything happened in them on a day. */
  workspaces(page: WorkspacePage): Promise<readonly DayOfWorkspace[]>;
  /** How far earlier runs got; null before the first one. */
  progress(): Promise<DigestProgress | null>;
  saveProgress(progress: DigestProgress): Promise<void>;
  /** Returns which of these notifications are stored. */
  stored(notificationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The activity of each of these workspaces from `from` (inclusive) to `to` (exclusive). */
  activityOf(workspaceIds: readonly WorkspaceId[], from: Date, to: Date): Promise<readonly Activity[]>;
  /** Stores notifications and their outbox records unless they exist: all of them or none. @returns how many were new */
  announce(notifications: readonly Notification[]): Promise<number>;
}
