import type { Collections } from '@postrider/shared/mongo/collections';

/** Reads the payloads of deliveries, by delivery id. */
export function createPayloadReads({ deliveries }: Pick<Collections, 'deliveries'>) {
  return async (deliveryIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
    if (deliveryIds.length === 0) return new Map();
    const rows = await deliveries
      .find({ _id: { $in: [...deliveryIds] } }, { projection: { payload: 1 } })
      .toArray();
    return new Map(rows.map(({ _id, payload }) => [_id, payload]));
  };
}
