import type { AnyBulkWriteOperation, Collection, Filter } from 'mongodb';
import { type CountedRecord, stepsOfRow } from '../domain/delivery-stats.js';
import type { Endpoint } from '../domain/endpoint.js';
import { asId, type EndpointId, firstIdAt, type WorkspaceId } from '../domain/id.js';
import { addSteps, type HourCounts, type Replacement, replacements } from '../domain/stat-hours.js';
import type { HourSpan, RecountPosition, RecountStore, StoredHours } from '../ports/delivery-stats.js';
import type { DeliveryDocument, Document, StatsDocument } from './collections.js';
import type { Database } from './connect.js';
import { countsOf, statsId } from './stats-store.js';

interface PositionDocument {
  readonly _id: 'stats';
  readonly workspaceId: string | null;
  /** Absent in positions of older versions, which finish a workspace first. */
  readonly endpointId?: string | null;
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
  const { endpoints, deliveries, endpointStats, workspaceStats } = collections;
  const positions = db.collection<PositionDocument>('meta');
  const countRows = async (ids: readonly EndpointId[], { createdFrom }: { readonly createdFrom: Date }) => {
    const hoursOf = new Map(ids.map((id) => [id, new Map<number, HourCounts>()]));
    const rows = deliveries.find<CountedRow>(
      { endpointId: { $in: [...ids] }, _id: { $gte: firstIdAt('delivery', createdFrom) } },
      { projection: ROW },
    );
    for await (const { endpointId, records, ...row } of rows) {
      const hours = hoursOf.get(asId('endpoint', endpointId));
      // A projection of its fields leaves out what is null.
      const counted = { ...row, lastAttempt: row.lastAttempt ?? null };
      if (hours !== undefined) addSteps(hours, stepsOfRow(counted, records ?? null));
    }
    return hoursOf;
  };
  return {
    async *endpoints({ after, limit }) {
      const found = endpoints
        .find(behind(after), { projection: { workspaceId: 1 } })
        .sort({ workspaceId: 1, _id: 1 });
      let endpointIds: EndpointId[] = [];
      let current: WorkspaceId | null = null;
      for await (const { _id, workspaceId } of found) {
        if (current !== null && (endpointIds.length === limit || current !== workspaceId)) {
          yield { workspaceId: current, endpointIds };
          endpointIds = [];
        }
        current = asId('workspace', workspaceId);
        endpointIds.push(asId('endpoint', _id));
      }
      if (current !== null) yield { workspaceId: current, endpointIds };
    },
    async recount(ids, span) {
      const stored = await storedHours(endpointStats, ids, span);
      const counted = await countRows(ids, span);
      const changes = ids.flatMap((owner) =>
        replacements(stored.get(owner) ?? new Map(), counted.get(owner) ?? new Map(), span).map((change) =>
          replacementOf(owner, change),
        ),
      );
      return { counted, replaced: await write(endpointStats, changes) };
    },
    async workspaceHours(workspaceId, span) {
      return (await storedHours(workspaceStats, [workspaceId], span)).get(workspaceId) ?? new Map();
    },
    replaceWorkspace: (owner: WorkspaceId, { stored, counted, span }) =>
      write(
        workspaceStats,
        replacements(stored, counted, span).map((change) => replacementOf(owner, change)),
      ),
    async position() {
      const { workspaceId = null, endpointId = null } = (await positions.findOne({ _id: 'stats' })) ?? {};
      if (workspaceId === null) return null;
      return {
        workspaceId: asId('workspace', workspaceId),
        endpointId: endpointId === null ? null : asId('endpoint', endpointId),
      };
    },
    async savePosition(position) {
      const document = position ?? { workspaceId: null, endpointId: null };
      await positions.replaceOne({ _id: 'stats' }, document, { upsert: true });
    },
    async removeBefore(before) {
      const old = { hour: { $lt: before } };
      const removed = await Promise.all([endpointStats.deleteMany(old), workspaceStats.deleteMany(old)]);
      return removed.reduce((sum, { deletedCount }) => sum + deletedCount, 0);
    },
  };
}

function behind(position: RecountPosition | null): Filter<Document<Endpoint>> {
  if (position === null) return {};
  const { workspaceId, endpointId } = position;
  const others = { workspaceId: { $gt: workspaceId } };
  return endpointId === null ? others : { $or: [{ workspaceId, _id: { $gt: endpointId } }, others] };
}

/** The stored hours by their owner. */
async function storedHours(
  collection: Collection<StatsDocument>,
  owners: readonly string[],
  { from, before }: HourSpan,
): Promise<ReadonlyMap<string, StoredHours>> {
  const hours = new Map<string, Map<number, HourCounts & { readonly version: number }>>();
  if (owners.length === 0) return hours;
  const ranges = owners.map((owner) => ({
    _id: { $gte: statsId(owner, from), $lt: statsId(owner, before) },
  }));
  for await (const found of collection.find({ $or: ranges })) {
    const [owner = ''] = found._id.split(' ');
    const ofOwner = hours.get(owner) ?? new Map<number, HourCounts & { readonly version: number }>();
    hours.set(owner, ofOwner);
    ofOwner.set(found.hour.getTime(), { ...countsOf(found), version: found.version });
  }
  return hours;
}

async function write(
  collection: Collection<StatsDocument>,
  changes: readonly AnyBulkWriteOperation<StatsDocument>[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const { modifiedCount, upsertedCount } = await collection.bulkWrite(changes, { ordered: false });
  return modifiedCount + upsertedCount;
}

/** Finds the hour only as it was read. */
function replacementOf(
  owner: string,
  { hour, fields, version }: Replacement,
): AnyBulkWriteOperation<StatsDocument> {
  const _id = statsId(owner, hour);
  const document = { hour, version: (version ?? 0) + 1, ...nested(fields) };
  if (version === null)
    return { updateOne: { filter: { _id }, update: { $setOnInsert: document }, upsert: true } };
  return { replaceOne: { filter: { _id, version }, replacement: document as Omit<StatsDocument, '_id'> } };
}

function nested(fields: ReadonlyMap<string, number>): object {
  const latency = [...fields].flatMap(([field, count]) =>
    field.startsWith(LATENCY) ? [[field.slice(LATENCY.length), count]] : [],
  );
  const counts = [...fields].filter(([field]) => !field.startsWith(LATENCY));
  return { ...Object.fromEntries(counts), latency: Object.fromEntries(latency) };
}

const LATENCY = 'latency.';
