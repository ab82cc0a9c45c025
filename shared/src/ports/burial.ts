import type { Burial } from '../domain/bury.js';
import type { Situation } from '../domain/settle.js';
import type { OutboxRecord } from './outbox.js';

/** What the dead-letter consumer asks of the database. */
export interface BurialStore {
  /**
   * Reads, decides and writes in one transaction. The notification is stored, and promised to the outbox, unless its
   * outage has been announced before. `decide` may run twice.
   *
   * @returns the outbox records that were written
   */
  bury(
    ids: { readonly deliveryId: string; readonly endpointId: string },
    decide: (situation: Situation) => Burial | null,
  ): Promise<readonly OutboxRecord[]>;
}
