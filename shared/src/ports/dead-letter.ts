import type { DeadLettering } from '../domain/dead-letter.js';
import type { DeadLetter } from '../domain/dead-letter-all.js';
import type { Stored } from '../domain/settle-all.js';
import type { OutboxRecord } from './outbox.js';

/** What the dead-letter consumer asks of the database. */
export interface DeadLetterStore {
  /**
   * Reads, decides and writes in one transaction, for all of the dead letters or for none. The notification of an
   * outage is stored, and promised to the outbox, unless it was announced before. `decide` may run twice.
   *
   * @param decide says for each of the letters what is to be written, or null
   * @returns what was decided in the end, and the outbox records that were written
   */
  bury(
    letters: readonly DeadLetter[],
    decide: (stored: Stored) => readonly (DeadLettering | null)[],
  ): Promise<{
    readonly burials: readonly (DeadLettering | null)[];
    readonly records: readonly OutboxRecord[];
  }>;
}
