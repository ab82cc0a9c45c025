import type { OutboxRecord } from '../ports/outbox.js';

/** Records that are kept as they are. One of 256 KiB each is the largest: 100 MB. */
const MAX_RECORDS = 400;
/** Further records, of which only the id is kept. */
const MAX_IDS = 100_000;

/** Records that wait to be published, in the order in which they were offered. */
export interface WaitingRecords {
  /** Records beyond all limits are left to the sweep. */
  add(records: readonly OutboxRecord[]): void;
  size(): number;
  /** Removes up to `limit` records; those that are published already, or claimed by a sweep, are missing. */
  take(limit: number): Promise<readonly OutboxRecord[]>;
  clear(): void;
}

/**
 * Keeps the first records in memory and of the others only the ids, so that a burst or a slow broker costs little
 * memory.
 *
 * @param find reads records that are still stored
 */
export function createWaitingRecords(
  find: (ids: readonly string[]) => Promise<readonly OutboxRecord[]>,
): WaitingRecords {
  let records: OutboxRecord[] = [];
  let ids: string[] = [];
  return {
    add(offered) {
      const kept = ids.length > 0 ? 0 : MAX_RECORDS - records.length;
      records.push(...offered.slice(0, kept));
      const room = MAX_IDS - ids.length;
      ids.push(...offered.slice(kept, kept + room).map(({ id }) => id));
    },
    size: () => records.length + ids.length,
    async take(limit) {
      return records.length > 0 ? records.splice(0, limit) : find(ids.splice(0, limit));
    },
    clear() {
      records = [];
      ids = [];
    },
  };
}
