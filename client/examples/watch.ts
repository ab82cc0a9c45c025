import type { Client, StreamedDelivery } from '@postrider/client';

/** Yields the deliveries of an endpoint that have failed for good, as they do. */
export async function* failuresOf(postrider: Client, endpointId: string): AsyncGenerator<StreamedDelivery> {
  for await (const { type, data } of postrider.stream({ endpointId })) {
    if (type === 'delivery.ended' && data.status !== 'delivered') yield data;
  }
}
