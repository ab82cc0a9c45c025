import type { Delivery } from '../domain/delivery.js';
import type { EndpointTarget } from '../domain/endpoint.js';
import type { DeliveryId, EndpointId } from '../domain/id.js';
import type { Observation } from '../domain/settle.js';
import type { SettledBatch, Stored } from '../domain/settle-all.js';

/** Maximum size of the rows that are read together, in bytes of BSON. In memory a row may take 14 times as much. */
export const READ_BYTES = 8 * 1_024 * 1_024;

/** The delivery engine's port to the database. */
export interface SettlementStore {
  /**
   * The current rows and endpoints, with payloads and secrets. Missing ones are omitted. Rows beyond `READ_BYTES` together are
   * not read, but at least one is; their ids are in `unread`, possibly with those of missing rows. From the second such read in a
   * row on, the first of the given rows are read.
   */
  read(ids: {
    readonly deliveryIds: readonly DeliveryId[];
    readonly endpointIds: readonly EndpointId[];
  }): Promise<{
    readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
    readonly unread: ReadonlySet<DeliveryId>;
    readonly endpoints: ReadonlyMap<EndpointId, EndpointTarget>;
  }>;
  /** Those of these deliveries that are delivered. */
  deliveredOf(ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>>;
  /** Reads, decides and writes in one transaction, all or nothing. `decide` may run twice. */
  settle(
    observations: readonly Observation[],
    decide: (stored: Stored) => SettledBatch,
  ): Promise<SettledBatch>;
  /**
   * Stores attempts that change nothing but their rows by guarded updates, which rows with the same guard share: an update
   * finds a row only if the attempt is its next one, and no row from `until` on, by the database's clock.
   *
   * @param batch each delivery once, without endpoints, audit entries and announcements
   * @returns whether all of them were stored; if not, `settle` finds out which
   */
  record(batch: Pick<SettledBatch, 'deliveries' | 'attempts' | 'results'>, until: Date): Promise<boolean>;
  /** Moves the due time of rows that are still due, and of their next attempt, so that recovery ignores them until then. */
  moveDueTimes(until: ReadonlyMap<DeliveryId, Date>): Promise<void>;
  /** Moves the due times of rows whose next attempt is the given one, if they are due before `until`. */
  extendDueTimes(
    attempts: readonly { readonly deliveryId: DeliveryId; readonly ordinal: number }[],
    until: Date,
  ): Promise<void>;
}
