import type { DeliveryFields } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import { asId, type DeliveryId, firstIdAt } from '@postrider/shared/domain/id';
import type { FilteredFields } from '@postrider/shared/domain/replay-job';
import type { Collections, Document } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { ClientSession } from 'mongodb';
import type { MatchedDelivery, ReplayedDelivery, ReplayTo } from '../ports/replay-jobs.js';

type Rows = Pick<Collections, 'deliveries'>;
type Activation = Pick<EndpointFields, 'id' | 'enabled' | 'deletedAt'>;
type MatchedRow = Pick<DeliveryFields, 'id' | 'endpointId' | 'status' | 'nextAttemptAt'> &
  FilteredFields & { readonly payloadBytes: number | null };

const MATCHED_FIELDS = {
  endpointId: 1,
  status: 1,
  nextAttemptAt: 1,
  eventType: 1,
  failureReason: 1,
  'lastAttempt.failureReason': 1,
  payloadBytes: { $bsonSize: '$payload' },
};
const REPLAYED_FIELDS = { workspaceId: 1, endpointId: 1, eventType: 1, payload: 1 };

/** The index of replays. The database might choose that of `_id`, which has the rows of all workspaces. */
const BY_SOURCE = { replayedFrom: 1, _id: 1 } as const;
/** Rows that wait for their first attempt. */
const UNSENT = { attempts: 0, dueAt: { $exists: true } } as const;

/**
 * Reads the facts that decide whether a job replays these deliveries, in the same order.
 *
 * @param session absent for an estimate, which no transaction depends on
 */
export async function readMatched(
  { deliveries, endpoints }: Pick<Collections, 'deliveries' | 'endpoints'>,
  ids: readonly DeliveryId[],
  session?: ClientSession,
): Promise<MatchedDelivery[]> {
  const within = session && { session };
  const rows = await deliveries
    .find<Document<MatchedRow>>({ _id: { $in: [...ids] } }, { projection: MATCHED_FIELDS, ...within })
    .toArray();
  const replayed = await deliveries.distinct(
    'replayedFrom',
    { replayedFrom: { $in: [...ids] } },
    { ...within },
  );
  const owners = await endpoints
    .find<Document<Activation>>(
      { _id: { $in: [...new Set(rows.map(({ endpointId }) => endpointId))] } },
      { projection: { enabled: 1, deletedAt: 1 }, ...within },
    )
    .toArray();
  const rowOf = new Map(rows.map((row) => [row._id, row]));
  const ownerOf = new Map(owners.map((owner) => [owner._id, owner]));
  const isReplayed = new Set<string | null>(replayed);
  return ids.map((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return { id, delivery: null, payloadBytes: 0, endpoint: null, isReplayed: false };
    const { payloadBytes, ...delivery } = fromDocument<MatchedRow>(row);
    const endpoint = ownerOf.get(row.endpointId) ?? null;
    return { id, delivery, payloadBytes: payloadBytes ?? 0, endpoint, isReplayed: isReplayed.has(id) };
  });
}

/** Reads the fields that replays copy from these deliveries, in the same order. The transaction has read all of them before. */
export async function readReplayed(
  { deliveries }: Rows,
  ids: readonly DeliveryId[],
  session: ClientSession,
): Promise<ReplayedDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await deliveries
    .find<Document<ReplayedDelivery>>({ _id: { $in: [...ids] } }, { projection: REPLAYED_FIELDS, session })
    .toArray();
  const rowOf = new Map(rows.map((row) => [row._id, fromDocument<ReplayedDelivery>(row)]));
  return ids.flatMap((id) => rowOf.get(id) ?? []);
}

/**
 * The replays that jobs made of these deliveries since `since` and that wait for their first attempt, oldest first. Reads none of
 * those before, of which there may be any number.
 */
export async function unsentReplaysOf(
  { deliveries }: Rows,
  sourceIds: readonly DeliveryId[],
  since: Date,
): Promise<ReplayTo[]> {
  const made = { replayedFrom: { $in: [...sourceIds] }, _id: { $gte: firstIdAt('delivery', since) } };
  const rows = await deliveries
    .find({ ...made, class: 'replay', ...UNSENT }, { projection: { endpointId: 1 }, hint: BY_SOURCE })
    .toArray();
  return rows
    .map(({ _id, endpointId }) => ({ id: asId('delivery', _id), endpointId: asId('endpoint', endpointId) }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Those of these deliveries that wait for their first attempt. */
export async function unsentOf(
  { deliveries }: Rows,
  ids: readonly DeliveryId[],
): Promise<ReadonlySet<DeliveryId>> {
  const rows = deliveries.find({ _id: { $in: [...ids] }, ...UNSENT }, { projection: { _id: 1 } });
  return new Set(await rows.map(({ _id }) => asId('delivery', _id)).toArray());
}
