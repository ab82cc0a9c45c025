import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient } from '../session/use-client.js';

/** The attempts of a delivery, loaded at the same time as the delivery, and again when the delivery has changed. */
export function useAttempts(deliveryId: string, delivery: components['schemas']['Delivery'] | undefined) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['attempts', deliveryId],
    queryFn: () =>
      client.get('/webhooks/deliveries/{deliveryId}/attempts', { params: { path: { deliveryId } } }),
  });
  const { refetch } = query;
  const version = delivery && `${deliveryId} ${delivery.attempts} ${delivery.status}`;
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (version === undefined || version === shown.current) return;
    const isFirst = shown.current === undefined;
    shown.current = version;
    if (!isFirst) void refetch();
  }, [version, refetch]);
  return query;
}
