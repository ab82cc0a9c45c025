import type { Delivery } from '../domain/delivery.js';
import type { EndpointTarget } from '../domain/endpoint.js';
import type { Observation } from '../domain/settle.js';
import type { SettledBatch, Stored } from '../domain/settle-all.js';

/** What the delivery engine asks of the database. */
export interface SettlementStore {
  /** The rows and their endpoints as they are now, payload and secrets included. What is gone is missing. */
  read(ids: { readonly deliveryIds: readonly string[]; readonly endpointIds: readonly string[] }): Promise<{
    readonly deliveries: ReadonlyMap<string, Delivery>;
    readonly endpoints: ReadonlyMap<string, EndpointTarget>;
  }>;
  /** Reads, decides and writes in one transaction: all of it is stored or none. `decide` may run twice. */
  settle(
    observations: readonly Observation[],
    decide: (stored: Stored) => SettledBatch,
  ): Promise<SettledBatch>;
  /** Moves the due time of rows that go to the dead-letter queue again, so that healing leaves them alone until then. */
  postponeDeadLetter(deliveryIds: readonly string[], until: Date): Promise<void>;
}
