import type { OutboxRecord } from '../ports/outbox.js';

/** Records that are kept as they are. */
const MAX_RECORDS = 400;
/** Characters of JSON in their values, of which a record has up to 256 Ki. */
const MAX_SIZE = 16 * 1_024 * 1_024;
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
  let records: Kept[] = [];
  let kept = 0;
  let ids: string[] = [];
  /** While ids wait, new records become ids, too, which keeps the order. */
  const keep = (record: OutboxRecord): boolean => {
    if (ids.length > 0 || records.length >= MAX_RECORDS) return false;
    const size = JSON.stringify(record.value).length;
    if (kept + size > MAX_SIZE) return false;
    records.push({ record, size });
    kept += size;
    return true;
  };
  return {
    add(offered) {
      for (const record of offered) {
        if (!keep(record) && ids.length < MAX_IDS) ids.push(record.id);
      }
    },
    size: () => records.length + ids.length,
    async take(limit) {
      if (records.length === 0) return find(ids.splice(0, limit));
      const taken = records.splice(0, limit);
      kept -= taken.reduce((sum, { size }) => sum + size, 0);
      return taken.map(({ record }) => record);
    },
    clear() {
      records = [];
      kept = 0;
      ids = [];
    },
  };
}

interface Kept {
  readonly record: OutboxRecord;
  readonly size: number;
}
