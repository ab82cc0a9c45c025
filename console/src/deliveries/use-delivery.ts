import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { refreshWhileHeld } from '../holds/refresh-while-held.js';
import { pollBy } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';
import { isOpen } from './is-open.js';

type Delivery = components['schemas']['DeliveryDetails'];

/**
 * A delivery. While it still changes it is read again in this interval, afterwards as long as sending is held. Without an id
 * nothing is loaded.
 */
export function useDelivery(deliveryId: string | undefined, everyMs: number) {
  const client = useClient();
  return useQuery<Delivery>({
    queryKey: ['delivery', deliveryId],
    queryFn: () =>
      client.get('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId: deliveryId ?? '' } } }),
    enabled: deliveryId !== undefined,
    refetchInterval: pollBy<Delivery>(
      (delivery) =>
        delivery !== undefined && (isOpen(delivery) ? everyMs : refreshWhileHeld(delivery.sendingHolds)),
    ),
  });
}
