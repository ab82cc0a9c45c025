import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { QueueMessage } from '@postrider/shared/ports/queue';

/** A row that this process has just stored. Its message is published in any case. */
export interface StoredDelivery {
  readonly message: QueueMessage;
  readonly delivery: Delivery;
  /** As it was read after the event had arrived. */
  readonly endpoint: EndpointTarget;
  /** When that read began, in milliseconds of a monotonic clock. */
  readonly endpointReadAt: number;
  /** The approximate size of the row. */
  readonly bytes: number;
}

/**
 * Offers rows whose first attempts may start from what is in memory.
 *
 * @returns the identifiers of those that were taken: their messages need not be published at once
 */
export type HandOver = (stored: readonly StoredDelivery[]) => ReadonlySet<string>;
