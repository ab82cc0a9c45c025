import type { OutboxRecord } from '../ports/outbox.js';
import { MAX_BATCH_SIZE, sizeOf } from './batch-size.js';

/** Maximum number of complete records. */
const MAX_RECORDS = 400;
/** Maximum number of JSON characters in their values. */
const MAX_SIZE = 16 * 1_024 * 1_024;
/** Maximum number of further records, of which only the id is kept. One key may have as many as are still free. */
const MAX_IDS = 100_000;

/** Records that wait to be published: those of a key in the order in which they were offered, and the keys in turn. */
export interface WaitingRecords {
  /** Records beyond all limits are left to the sweep. */
  add(records: readonly OutboxRecord[]): void;
  size(): number;
  /**
   * Removes a batch of up to `limit` records that a broker accepts; those that are published already, or claimed by a
   * sweep, are missing.
   */
  take(limit: number): Promise<readonly OutboxRecord[]>;
  clear(): void;
}

/** The records of one key; those of which only the id is kept come last. */
interface Line {
  kept: Kept[];
  readonly ids: string[];
}

interface Kept {
  readonly record: OutboxRecord;
  readonly size: number;
}

/** The share of a batch that one key may have. */
interface Share {
  readonly records: number;
  readonly size: number;
}

/**
 * Keeps the first records in memory and only the ids of the others, so that a burst or a slow broker costs little
 * memory.
 *
 * @param find reads records that are still stored
 */
export function createWaitingRecords(
  find: (ids: readonly string[]) => Promise<readonly OutboxRecord[]>,
): WaitingRecords {
  const lines = new Map<string, Line>();
  const kept = { records: 0, size: 0 };
  let ids = 0;

  /** While ids of a key wait, its new records become ids, too, which keeps the order. */
  const keep = (line: Line, record: OutboxRecord): boolean => {
    if (line.ids.length > 0 || kept.records >= MAX_RECORDS) return false;
    const size = sizeOf(record);
    if (kept.size + size > MAX_SIZE) return false;
    line.kept.push({ record, size });
    kept.records += 1;
    kept.size += size;
    return true;
  };
  const keepId = (line: Line, id: string): boolean => {
    if (line.ids.length >= MAX_IDS - ids) return false;
    line.ids.push(id);
    ids += 1;
    return true;
  };
  const load = async (line: Line, count: number) => {
    const wanted = line.ids.splice(0, count);
    ids -= wanted.length;
    const loaded = (await find(wanted)).map((record) => ({ record, size: sizeOf(record) }));
    // Records that were added meanwhile come later.
    line.kept = [...loaded, ...line.kept];
    kept.records += loaded.length;
    kept.size += loaded.reduce((sum, { size }) => sum + size, 0);
  };
  /** Takes the share of a key, and at least one record if there is room for it. */
  const takeFrom = (line: Line, share: Share, room: number): readonly Kept[] => {
    let size = 0;
    const end = line.kept.findIndex((next, index) => {
      size += next.size;
      return index >= share.records || size > (index === 0 ? room : share.size);
    });
    const taken = line.kept.splice(0, end === -1 ? line.kept.length : end);
    kept.records -= taken.length;
    kept.size -= sizeOfAll(taken);
    return taken;
  };
  /** The keys have their turns in the order of the map. */
  const endTurn = (key: string, line: Line) => {
    lines.delete(key);
    if (line.kept.length > 0 || line.ids.length > 0) lines.set(key, line);
  };

  return {
    add(offered) {
      for (const record of offered) {
        const line = lines.get(record.key) ?? { kept: [], ids: [] };
        if (keep(line, record) || keepId(line, record.id)) lines.set(record.key, line);
      }
    },
    size: () => kept.records + ids,
    async take(limit) {
      const batch: Kept[] = [];
      const share = { records: Math.ceil(limit / lines.size), size: MAX_BATCH_SIZE / lines.size };
      let room = MAX_BATCH_SIZE;
      while (batch.length < limit) {
        const [turn] = lines;
        if (turn === undefined) break;
        const [key, line] = turn;
        const most = {
          records: Math.min(share.records, limit - batch.length),
          size: Math.min(share.size, room),
        };
        if (line.kept.length === 0) await load(line, most.records);
        const taken = takeFrom(line, most, batch.length === 0 ? Number.POSITIVE_INFINITY : room);
        if (taken.length === 0 && line.kept.length > 0) break;
        batch.push(...taken);
        room -= sizeOfAll(taken);
        endTurn(key, line);
      }
      return batch.map(({ record }) => record);
    },
    clear() {
      lines.clear();
      kept.records = 0;
      kept.size = 0;
      ids = 0;
    },
  };
}

function sizeOfAll(records: readonly Kept[]): number {
  return records.reduce((sum, { size }) => sum + size, 0);
}
