import type { DeadLetter, DeadLetterSettlement } from '../domain/dead-letter.js';
import type { Stored } from '../domain/settle-all.js';
import type { OutboxRecord } from './outbox.js';

/** The dead-letter consumer's port to the database. */
export interface DeadLetterStore {
  /**
   * Reads, decides and writes in one transaction, for all of the dead letters or for none. The notification of an
   * outage is stored, and appended to the outbox, unless the outage was announced before. `decide` may run twice.
   *
   * @param decide returns the writes of each dead letter, or null
   * @returns the decisions of the committed run and the outbox records that were written
   */
  settle(
    letters: readonly DeadLetter[],
    decide: (stored: Stored) => readonly (DeadLetterSettlement | null)[],
  ): Promise<{
    readonly settlements: readonly (DeadLetterSettlement | null)[];
    readonly records: readonly OutboxRecord[];
  }>;
}
