import type { Collections } from '@postrider/shared/mongo/collections';
import { type DeliveryRecord, unseen } from './delivery-record.js';

/** A call to the api that owes an endpoint one delivery, by one attempt. */
export interface CalledFor {
  readonly traceId: string;
  /** When the call was made, in the machine's time. */
  readonly madeAt: number;
  readonly endpointId: string;
  readonly group: string;
}

/** No event of the generator. */
const NO_EVENT = -1;

/**
 * The deliveries that calls owe, by id. The rows carry the traces of their calls; a row beyond the first of a trace is
 * nobody's, and a call without a row stands here under its trace.
 */
export async function calledDeliveries(
  calls: readonly CalledFor[],
  { deliveries }: Pick<Collections, 'deliveries'>,
): Promise<Map<string, DeliveryRecord>> {
  const endpointIds = [...new Set(calls.map(({ endpointId }) => endpointId))];
  const ids = new Map<string, string>();
  const rows = deliveries.find(
    { endpointId: { $in: endpointIds } },
    { projection: { endpointId: 1, traceId: 1 }, sort: { endpointId: 1, _id: 1 } },
  );
  for await (const { _id, endpointId, traceId } of rows) {
    const key = `${endpointId} ${traceId}`;
    if (!ids.has(key)) ids.set(key, _id);
  }
  return new Map(
    calls.map(({ traceId, madeAt, endpointId, group }) => [
      ids.get(`${endpointId} ${traceId}`) ?? `trace ${traceId}`,
      { group, endpointId, event: NO_EVENT, madeAt, ...unseen() },
    ]),
  );
}
