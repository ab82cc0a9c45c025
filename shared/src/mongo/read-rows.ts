import { BSON } from 'mongodb';
import type { DeliveryId } from '../domain/id.js';
import { READ_BYTES } from '../ports/settlement.js';
import { nextTurn } from '../runtime/turns.js';
import type { Collections, DeliveryDocument } from './collections.js';

/** The rows that were read, and the ids of those for which there was no room, possibly with ids of missing rows. */
interface ReadRows {
  readonly rows: readonly DeliveryDocument[];
  readonly unread: readonly DeliveryId[];
}

interface ChosenRows {
  readonly ids: readonly DeliveryId[];
  readonly left: readonly DeliveryId[];
}

/** What the connection has as well: all texts in the database were written by this system. */
const DESERIALIZE = { validation: { utf8: false } } as const;
/** About as many bytes of BSON are decoded in one turn of the event loop: a row of 1 MB may take 50 ms. */
const TURN_BYTES = 256 * 1_024;

/**
 * Reads rows of at most `READ_BYTES` together, at least one. The database returns rows by id, the oldest first, so while some
 * workspaces have a backlog of large rows, newer ones of others would never be among them. After a read that exceeded the limit,
 * the next one therefore chooses rows by their sizes, in the given order.
 */
export function createReadRows({ deliveries }: Pick<Collections, 'deliveries'>) {
  let hasExceeded = false;
  /** Decodes each row only if there is room for it: one of 256 KiB may consist of 87,000 objects. */
  const find = async (ids: readonly DeliveryId[]) => {
    const found = deliveries.find<Buffer>(
      { _id: { $in: [...ids] } },
      { projection: { records: 0 }, raw: true },
    );
    const rows: DeliveryDocument[] = [];
    let size = 0;
    let turnSize = 0;
    try {
      for (let first = await found.next(); first !== null; first = await found.next())
        for (const row of [first, ...found.readBufferedDocuments()]) {
          size += row.length;
          if (size > READ_BYTES && rows.length > 0) return { rows, isComplete: false };
          if (turnSize >= TURN_BYTES) {
            await nextTurn();
            turnSize = 0;
          }
          turnSize += row.length;
          rows.push(BSON.deserialize(row, DESERIALIZE) as DeliveryDocument);
        }
      return { rows, isComplete: true };
    } finally {
      await found.close();
    }
  };
  const choose = async (ids: readonly DeliveryId[]): Promise<ChosenRows> => {
    const stages = [{ $match: { _id: { $in: ids } } }, { $project: { size: { $bsonSize: '$$ROOT' } } }];
    const found = await deliveries.aggregate<{ _id: string; size: number }>(stages).toArray();
    return firstWithin(ids, new Map(found.map(({ _id, size }) => [_id, size])));
  };
  return async (ids: readonly DeliveryId[]): Promise<ReadRows> => {
    if (ids.length === 0) return { rows: [], unread: [] };
    const chosen = hasExceeded ? await choose(ids) : { ids, left: [] };
    const { rows, isComplete } = await find(chosen.ids);
    hasExceeded = !isComplete || chosen.left.length > 0;
    if (isComplete) return { rows, unread: chosen.left };
    const read = new Set<string>(rows.map(({ _id }) => _id));
    return { rows, unread: [...chosen.ids.filter((id) => !read.has(id)), ...chosen.left] };
  };
}

/** Chooses the first rows that have at most `READ_BYTES` together, at least one. Ids without a size are left out. */
function firstWithin(ids: readonly DeliveryId[], sizes: ReadonlyMap<string, number>): ChosenRows {
  const existing = ids.filter((id) => sizes.has(id));
  let size = 0;
  const end = existing.findIndex((id, index) => {
    size += sizes.get(id) ?? 0;
    return size > READ_BYTES && index > 0;
  });
  return end === -1
    ? { ids: existing, left: [] }
    : { ids: existing.slice(0, end), left: existing.slice(end) };
}
