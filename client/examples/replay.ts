import { type Client, PostriderError } from '@postrider/client';

/** Sends everything again that an endpoint missed. */
export async function replayAll(postrider: Client, endpointId: string): Promise<number> {
  let replayed = 0;
  const missed = postrider.paginate('/webhooks/{endpointId}/deliveries', {
    params: { path: { endpointId }, query: { status: 'dead_lettered', limit: 200 } },
  });
  for await (const { deliveryId } of missed) {
    try {
      await postrider.post('/webhooks/deliveries/{deliveryId}/replay', { params: { path: { deliveryId } } });
      replayed += 1;
    } catch (error) {
      if (!(error instanceof PostriderError && error.is('DeliveryNotReplayable'))) throw error;
    }
  }
  return replayed;
}
