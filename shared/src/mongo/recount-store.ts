import type { Collection } from 'mongodb';
import { chunksOf } from '../domain/chunks.js';
import { type CountedRecord, type StatStep, stepsOfRow } from '../domain/delivery-stats.js';
import { asId, type EndpointId, type WorkspaceId } from '../domain/id.js';
import { addSteps, type HourCounts } from '../domain/stat-hours.js';
import type { HourSpan, RecountStore, Unreadable } from '../ports/delivery-stats.js';
import { BY_DELETION, type DeliveryDocument, notDeletedBefore, type StatsDocument } from './collections.js';
import type { Database } from './connect.js';
import { fromPosition, type PositionDocument, toPosition } from './recount-position.js';
import { replaceHours, storedHours } from './replace-hours.js';

const WORKSPACES_AT_ONCE = 100;
/** Identifiers in memory. Each query sorts all that follow in the workspace, so fewer would make it slow with very many. */
const ENDPOINTS_AT_ONCE = 10_000;

interface EndpointQuery {
  /** The identifier after which to begin. */
  readonly last: string;
  readonly deletedFrom: Date;
  readonly limit: number;
}

/** The parts of rows that are counted. */
type CountedRow = Pick<
  DeliveryDocument,
  '_id' | 'endpointId' | 'status' | 'failureReason' | 'createdAt' | 'lastAttempt'
> & { readonly records?: readonly CountedRecord[] };

const ROW = {
  endpointId: 1,
  status: 1,
  failureReason: 1,
  createdAt: 1,
  'lastAttempt.attemptedAt': 1,
  'lastAttempt.durationMs': 1,
  'records.attemptedAt': 1,
  'records.durationMs': 1,
  'records.failureReason': 1,
};

export function createRecountStore({ db, collections }: Pick<Database, 'db' | 'collections'>): RecountStore {
  const { workspaces, endpoints, deliveries, endpointStats, workspaceStats } = collections;
  const positions = db.collection<PositionDocument>('meta');
  /**
   * Keeps no cursor open while the rows of a page are counted: its session expires after half an hour. Sorted in memory, because the
   * index has live endpoints first. One that is deleted meanwhile may be found twice.
   */
  async function* pagesOfWorkspace(workspaceId: WorkspaceId, { last, deletedFrom, limit }: EndpointQuery) {
    for (let after: string | null = last; after !== null; ) {
      const page: readonly { readonly _id: string }[] = await endpoints
        .find(
          { workspaceId, _id: { $gt: after }, ...notDeletedBefore(deletedFrom) },
          { projection: { _id: 1 }, sort: { _id: 1 }, hint: BY_DELETION, limit: ENDPOINTS_AT_ONCE },
        )
        .toArray();
      const ids = [...new Set(page.map(({ _id }) => asId('endpoint', _id)))];
      for (const endpointIds of chunksOf(ids, limit)) yield { workspaceId, endpointIds };
      after = page.length < ENDPOINTS_AT_ONCE ? null : (ids.at(-1) ?? null);
    }
  }
  const hoursOf = {
    endpoint: async (id: EndpointId, span: HourSpan) =>
      (await storedHours(endpointStats, [id], span)).get(id) ?? new Map(),
    workspace: async (id: WorkspaceId, span: HourSpan) =>
      (await storedHours(workspaceStats, [id], span)).get(id) ?? new Map(),
  };
  return {
    async *endpoints({ after, deletedFrom, limit }) {
      const pagesOf = (workspaceId: string, last: string) =>
        pagesOfWorkspace(asId('workspace', workspaceId), { last, deletedFrom, limit });
      if (after !== null && after.unfinished !== null)
        yield* pagesOf(after.workspaceId, after.endpointId ?? '');
      for (let last: string | null = after?.workspaceId ?? ''; last !== null; ) {
        const page: readonly { readonly _id: string }[] = await workspaces
          .find(
            { _id: { $gt: last } },
            { projection: { _id: 1 }, sort: { _id: 1 }, limit: WORKSPACES_AT_ONCE },
          )
          .toArray();
        const ids = page.map(({ _id }) => _id);
        // Reads one index key of each workspace.
        const withEndpoints = await endpoints.distinct('workspaceId', { workspaceId: { $in: ids } });
        for (const workspaceId of withEndpoints.sort()) yield* pagesOf(workspaceId, '');
        last = page.length < WORKSPACES_AT_ONCE ? null : (ids.at(-1) ?? null);
      }
    },
    async endpointHours(ids, span) {
      const found = await storedHours(endpointStats, ids, span);
      return new Map([...found].map(([owner, hours]) => [asId('endpoint', owner), hours]));
    },
    workspaceHours: hoursOf.workspace,
    async countRows({ endpointIds, after, limit }) {
      const counted = new Map<EndpointId, Map<number, HourCounts>>();
      const unreadable: Unreadable[] = [];
      const rows = deliveries.find<CountedRow>(
        { endpointId: { $in: [...endpointIds] }, _id: { $gt: after } },
        { projection: ROW, sort: { endpointId: 1, _id: 1 }, hint: { endpointId: 1, _id: 1 }, limit },
      );
      let count = 0;
      let last: { readonly endpointId: EndpointId; readonly deliveryId: string } | null = null;
      for await (const { endpointId: owner, ...row } of rows) {
        const endpointId = asId('endpoint', owner);
        const hours = counted.get(endpointId) ?? new Map<number, HourCounts>();
        counted.set(endpointId, hours);
        try {
          addSteps(hours, stepsInTime(row));
        } catch (error) {
          unreadable.push({ deliveryId: row._id, error });
        }
        count += 1;
        last = { endpointId, deliveryId: row._id };
      }
      return { counted, unreadable, last: count < limit ? null : last };
    },
    replaceEndpoints: (tallies, span) => replaceHours(endpointStats, tallies, span),
    replaceWorkspace: (owner, tally, span) => replaceHours(workspaceStats, new Map([[owner, tally]]), span),
    async position() {
      const found = await positions.findOne({ _id: 'stats' });
      return found === null ? null : fromPosition(found, hoursOf);
    },
    async savePosition(position) {
      await positions.replaceOne({ _id: 'stats' }, toPosition(position), { upsert: true });
    },
    async removeBefore(before, limit) {
      const removeFrom = async (collection: Collection<StatsDocument>) => {
        const old = await collection
          .find({ hour: { $lt: before } }, { projection: { _id: 1 }, sort: { hour: 1 }, limit })
          .toArray();
        if (old.length === 0) return 0;
        return (await collection.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })).deletedCount;
      };
      const [ofEndpoints, ofWorkspaces] = await Promise.all([
        removeFrom(endpointStats),
        removeFrom(workspaceStats),
      ]);
      return ofEndpoints + ofWorkspaces;
    },
  };
}

/** The steps of a row that are not late. @throws Error if it is not as it should be */
function stepsInTime({ records, ...row }: Omit<CountedRow, 'endpointId'>): readonly StatStep[] {
  // A projection of its fields omits those that are null.
  const steps = stepsOfRow({ ...row, lastAttempt: row.lastAttempt ?? null }, records ?? null);
  if (steps.some(({ at }) => Number.isNaN(at.getTime()))) throw new Error('it has an invalid time');
  // Statuses are not checked when rows are read.
  if (steps.some(({ field }) => field === undefined)) throw new Error('it has an unknown status');
  return steps.filter(({ isLate }) => !isLate);
}
