import type { ClientSession, Collection, Filter } from 'mongodb';
import { asId, type EndpointId } from '../domain/id.js';
import { MAX_RECORDS } from '../domain/retry-policy.js';
import type { History, IdRange } from '../ports/housekeeping.js';
import { createCleanupProgress } from './cleanup-progress.js';
import { HAS_ENDED } from './collections.js';
import type { Database } from './connect.js';
import { attemptId } from './documents.js';
import { inTransaction } from './transaction.js';

export function createHistory({ client, db, collections }: Database): History {
  const { progress, saveProgress } = createCleanupProgress({ db, collections });
  const { deliveries, attempts, endpoints, unmatchedEvents } = collections;
  /** Terminal rows do not change, so this needs no transaction. Their embedded attempts are removed with them. */
  const removeRows = async (ids: readonly string[], session?: ClientSession) => {
    const { deletedCount } = await deliveries.deleteMany({ _id: { $in: [...ids] } }, session && { session });
    return deletedCount;
  };
  /** Also removes attempts of versions that stored them separately. */
  const removeRowsWithAttempts = (ids: readonly string[]) =>
    inTransaction(client, async (session) => {
      const records = ids.flatMap((id) =>
        Array.from({ length: MAX_RECORDS }, (_, n) => attemptId(id, n + 1)),
      );
      await attempts.deleteMany({ _id: { $in: records } }, { session });
      return removeRows(ids, session);
    });
  return {
    progress,
    saveProgress,
    endOfSlice: endOfSliceIn(deliveries),
    endOfEventSlice: endOfSliceIn(unmatchedEvents),
    async removeExpired({ from, before }, limit) {
      const expired = await deliveries
        .find(
          { _id: { $gte: from, $lt: before }, ...HAS_ENDED },
          { projection: { _id: 1 }, sort: { _id: 1 }, limit },
        )
        .toArray();
      const ids = expired.map(({ _id }) => _id);
      const [first, last] = [ids.at(0), ids.at(-1)];
      if (first === undefined || last === undefined) return { removed: 0, last: null };
      const separate = await attempts.findOne(
        { _id: { $gt: first, $lt: `${last};` } },
        { projection: { _id: 1 } },
      );
      const removed = await (separate === null ? removeRows(ids) : removeRowsWithAttempts(ids));
      return { removed, last: ids.length < limit ? null : last };
    },
    async removeUnmatchedEvents({ from, before }) {
      return (await unmatchedEvents.deleteMany({ _id: { $gte: from, $lt: before } })).deletedCount;
    },
    async *tombstones(before, limit) {
      const found = endpoints.find(
        { deletedAt: { ...DELETED, $lt: before } },
        { projection: { _id: 1 }, sort: { deletedAt: 1 }, batchSize: TOMBSTONES_OF_A_BATCH },
      );
      let page: EndpointId[] = [];
      for await (const { _id } of found) {
        page.push(asId('endpoint', _id));
        if (page.length < limit) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    async removeTombstones(endpointIds) {
      // Reads one index key of each endpoint, however many deliveries it has.
      const used = new Set(
        await deliveries.distinct('endpointId', { endpointId: { $in: [...endpointIds] } }),
      );
      const unused = endpointIds.filter((id) => !used.has(id));
      if (unused.length === 0) return 0;
      return (await endpoints.deleteMany({ _id: { $in: unused }, deletedAt: DELETED })).deletedCount;
    },
  };
}

/** Reads index keys only. */
function endOfSliceIn<T extends { readonly _id: string }>(collection: Collection<T>) {
  return async ({ from, before }: IdRange, rows: number): Promise<string> => {
    const filter = { _id: { $gte: from, $lt: before } } as Filter<T>;
    const next = await collection.findOne(filter, { projection: { _id: 1 }, sort: { _id: 1 }, skip: rows });
    return next?._id ?? before;
  };
}

/** The condition of the partial index. */
const DELETED = { $type: 'date' } as const;
/** Few enough that the cursor is read again long before the database closes it. */
const TOMBSTONES_OF_A_BATCH = 1_000;
