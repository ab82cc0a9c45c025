import type { Delivery } from '../domain/delivery.js';
import type { EndpointTarget } from '../domain/endpoint.js';
import type { DeliveryId, EndpointId } from '../domain/id.js';
import type { Observation } from '../domain/settle.js';
import type { SettledBatch, Stored } from '../domain/settle-all.js';

/** What the delivery engine asks of the database. */
export interface SettlementStore {
  /** The rows and their endpoints as they are now, payload and secrets included. What is gone is missing. */
  read(ids: {
    readonly deliveryIds: readonly DeliveryId[];
    readonly endpointIds: readonly EndpointId[];
  }): Promise<{
    readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
    readonly endpoints: ReadonlyMap<EndpointId, EndpointTarget>;
  }>;
  /** Reads, decides and writes in one transaction: all of it is stored or none. `decide` may run twice. */
  settle(
    observations: readonly Observation[],
    decide: (stored: Stored) => SettledBatch,
  ): Promise<SettledBatch>;
  /** Moves the due time of rows that go to the dead-letter queue again, so that healing leaves them alone until then. */
  postponeDeadLetter(deliveryIds: readonly DeliveryId[], until: Date): Promise<void>;
}
