import { type Client, PostriderError } from '@postrider/client';

/** Replays the dead-lettered deliveries of an endpoint, newest first, as new deliveries. Each run replays all of them. */
export async function replayDeadLetters(postrider: Client, endpointId: string): Promise<number> {
  let replayed = 0;
  const deadLetters = postrider.paginate('/webhooks/{endpointId}/deliveries', {
    params: { path: { endpointId }, query: { status: 'dead_lettered', limit: 200 } },
  });
  for await (const { deliveryId } of deadLetters) {
    try {
      await postrider.post('/webhooks/deliveries/{deliveryId}/replay', { params: { path: { deliveryId } } });
      replayed += 1;
    } catch (error) {
      if (!(error instanceof PostriderError && error.is('DeliveryNotReplayable'))) throw error;
    }
  }
  return replayed;
}
