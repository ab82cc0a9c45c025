import type { ClientSession } from 'mongodb';
import { distinct } from '../domain/distinct.js';
import type { EndpointTarget, SettledEndpoint } from '../domain/endpoint.js';
import type { Observation } from '../domain/settle.js';
import type { Stored } from '../domain/settle-all.js';
import type { SettlementStore } from '../ports/settlement.js';
import type { Collections, Document } from './collections.js';
import { fromDeliveryDocument, fromDocument } from './documents.js';
import { SETTLED, TARGET } from './endpoint-projections.js';
import { createReadRows } from './read-rows.js';

type Ids = Parameters<SettlementStore['read']>[0];

/** Concurrent reads share a query: a query for 100 rows costs little more than one for 25. */
export function readTogether({ deliveries, endpoints }: Pick<Collections, 'deliveries' | 'endpoints'>) {
  const readRows = createReadRows({ deliveries });
  const findOwners = (filter: { _id: { $in: string[] } }) =>
    endpoints.find<Document<EndpointTarget>>(filter, { projection: TARGET }).toArray();
  return async (chunks: readonly Ids[]): ReturnType<SettlementStore['read']> => {
    const deliveryIds = distinct(chunks.flatMap((chunk) => chunk.deliveryIds));
    const endpointIds = distinct(chunks.flatMap((chunk) => chunk.endpointIds));
    const [{ rows, unread }, owners] = await Promise.all([
      readRows(deliveryIds),
      endpointIds.length === 0 ? [] : findOwners({ _id: { $in: endpointIds } }),
    ]);
    return {
      deliveries: byId(rows.map(fromDeliveryDocument)),
      unread: new Set(unread),
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
