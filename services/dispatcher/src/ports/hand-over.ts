import type { Delivery } from '@postrider/shared/domain/delivery';
import type { SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import type { QueueMessage } from '@postrider/shared/ports/queue';

/** A row that this process has just stored. */
export interface StoredDelivery {
  readonly message: QueueMessage;
  readonly delivery: Delivery;
  /** The endpoint as it was read after the event had arrived. */
  readonly endpoint: SubscribedEndpoint;
  /** When that read began, in milliseconds of a monotonic clock. */
  readonly endpointReadAt: number;
  /** The approximate size of the row, in bytes. */
  readonly bytes: number;
}

/** A row that was taken. */
export interface HandedOver {
  /** Whether its attempt has ended or the row is found without its message, which is then no longer needed. */
  hasEnded: boolean;
  /** Called when it ends. A row that is dropped with its partition before its attempt begins never does. */
  onEnded: () => void;
  /** Called when the row is dropped with its partition: its next owner needs its message. */
  onDropped: () => void;
}

/**
 * Offers rows whose first attempts may start from memory.
 *
 * @returns those that were taken, by their identifiers: their messages need not be published before they have ended
 */
export type HandOver = (stored: readonly StoredDelivery[]) => ReadonlyMap<string, HandedOver>;

/** The attempts that this process starts. It is behind while many of them wait for nothing else. */
export interface Starts {
  /** Whether it is behind for many workspaces. */
  areBehind(): boolean;
  /** Whether it is behind for many endpoints of a workspace. */
  areBehindFor(workspaceId: string): boolean;
  /** The number of attempts that it has started. */
  count(): number;
}

/** The rows that were handed over and whose attempts have not begun. */
export interface UnstartedRows {
  /** Whether this process stores rows faster than it sends them. */
  areMany(): boolean;
  /** Whether the workspace has as many of these rows as others, or more. */
  hasShare(workspaceId: string): boolean;
}
