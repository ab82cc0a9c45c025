import { BSON, type ClientSession } from 'mongodb';
import { distinct } from '../domain/distinct.js';
import type { EndpointTarget, SettledEndpoint } from '../domain/endpoint.js';
import type { Observation } from '../domain/settle.js';
import type { Stored } from '../domain/settle-all.js';
import { READ_BYTES, type SettlementStore } from '../ports/settlement.js';
import type { Collections, DeliveryDocument, Document } from './collections.js';
import { fromDeliveryDocument, fromDocument } from './documents.js';
import { SETTLED, TARGET } from './endpoint-projections.js';

type Ids = Parameters<SettlementStore['read']>[0];

/** What the connection has as well: all texts in the database were written by this system. */
const DESERIALIZE = { validation: { utf8: false } } as const;

const NO_ROWS = { rows: [], isComplete: true } as const;

/** Concurrent reads share a query: a query for 100 rows costs little more than one for 25. */
export function readTogether({ deliveries, endpoints }: Pick<Collections, 'deliveries' | 'endpoints'>) {
  /** Decodes each row only if there is room for it: one of 256 KiB may consist of 87,000 objects. */
  const findRows = async (filter: { _id: { $in: string[] } }) => {
    const found = deliveries.find<Buffer>(filter, { projection: { records: 0 }, raw: true });
    const rows: DeliveryDocument[] = [];
    let size = 0;
    try {
      for (let first = await found.next(); first !== null; first = await found.next())
        for (const row of [first, ...found.readBufferedDocuments()]) {
          size += row.length;
          if (size > READ_BYTES && rows.length > 0) return { rows, isComplete: false };
          rows.push(BSON.deserialize(row, DESERIALIZE) as DeliveryDocument);
        }
      return { rows, isComplete: true };
    } finally {
      await found.close();
    }
  };
  const findOwners = (filter: { _id: { $in: string[] } }) =>
    endpoints.find<Document<EndpointTarget>>(filter, { projection: TARGET }).toArray();
  return async (chunks: readonly Ids[]): ReturnType<SettlementStore['read']> => {
    const deliveryIds = distinct(chunks.flatMap((chunk) => chunk.deliveryIds));
    const endpointIds = distinct(chunks.flatMap((chunk) => chunk.endpointIds));
    const [{ rows, isComplete }, owners] = await Promise.all([
      deliveryIds.length === 0 ? NO_ROWS : findRows({ _id: { $in: deliveryIds } }),
      endpointIds.length === 0 ? [] : findOwners({ _id: { $in: endpointIds } }),
    ]);
    const found = byId(rows.map(fromDeliveryDocument));
    return {
      deliveries: found,
      unread: new Set(isComplete ? [] : deliveryIds.filter((id) => !found.has(id))),
      endpoints: byId(owners.map(fromDocument<EndpointTarget>)),
    };
  };
}

/** Reads the parts of the rows and endpoints that settling needs. */
export async function readStored(
  { deliveries, endpoints }: Collections,
  touched: readonly Pick<Observation, 'deliveryId' | 'endpointId'>[],
  session: ClientSession,
): Promise<Stored> {
  const deliveryIds = distinct(touched.map(({ deliveryId }) => deliveryId));
  const endpointIds = distinct(touched.map(({ endpointId }) => endpointId));
  const rows = await deliveries
    .find({ _id: { $in: deliveryIds } }, { projection: { payload: 0, records: 0 }, session })
    .toArray();
  const owners = await endpoints
    .find<Document<SettledEndpoint>>({ _id: { $in: endpointIds } }, { projection: SETTLED, session })
    .toArray();
  return {
    deliveries: byId(rows.map(fromDeliveryDocument)),
    endpoints: byId(owners.map(fromDocument<SettledEndpoint>)),
  };
}

function byId<T extends { readonly id: string }>(things: readonly T[]): Map<T['id'], T> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
