import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient } from '../session/use-client.js';
import { lacksAttempts } from './lacks-attempts.js';

/**
 * The attempts of a delivery, loaded at the same time as the delivery, so that either may be the older answer. They are loaded
 * again when the delivery has changed, and once if they are older.
 */
export function useAttempts(deliveryId: string, delivery: components['schemas']['Delivery'] | undefined) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['attempts', deliveryId],
    queryFn: () =>
      client.get('/webhooks/deliveries/{deliveryId}/attempts', { params: { path: { deliveryId } } }),
  });
  const { data, refetch } = query;
  const version = delivery && `${deliveryId} ${delivery.attempts} ${delivery.status}`;
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (delivery === undefined || data === undefined || version === shown.current) return;
    // Of another delivery, the attempts have just been loaded.
    const isChanged = shown.current?.startsWith(deliveryId) ?? false;
    shown.current = version;
    if (isChanged || lacksAttempts(delivery, data.items)) void refetch();
  }, [deliveryId, delivery, version, data, refetch]);
  return query;
}
