import type { Attempt, Delivery, DeliveryStatus } from '@postrider/shared/domain/delivery';
import type { DeliveredEventType } from '@postrider/shared/domain/event-type';

/** Which deliveries of one endpoint are meant; null asks for all. */
export interface DeliverySlice {
  readonly status: DeliveryStatus | null;
  readonly eventType: DeliveredEventType | null;
  /** Strictly after this moment. */
  readonly createdAfter: Date | null;
  /** Strictly before this moment. */
  readonly createdBefore: Date | null;
  /** Strictly past this id. Identifiers are ordered by creation. */
  readonly after: string | null;
  readonly limit: number;
}

/** Reads of deliveries and their history, always inside one workspace. */
export interface DeliveryReads {
  find(workspaceId: string, id: string): Promise<Delivery | null>;
  /** Newest first. */
  list(workspaceId: string, endpointId: string, slice: DeliverySlice): Promise<readonly Delivery[]>;
  /** Every attempt of a delivery, by ordinal. */
  attempts(workspaceId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /** How many deliveries created since a moment have which status, over all endpoints. */
  countByStatus(workspaceId: string, since: Date): Promise<Readonly<Record<DeliveryStatus, number>>>;
}
