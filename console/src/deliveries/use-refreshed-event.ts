import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { eventKey } from './event-panel.js';

/** Reads the outcomes of the event again when what they say of this delivery has changed. */
export function useRefreshedEvent(delivery: components['schemas']['DeliveryDetails'] | undefined): void {
  const queries = useQueryClient();
  const version = delivery && describe(delivery);
  const eventId = delivery?.eventId;
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (version === undefined || version === shown.current) return;
    const isChanged = shown.current !== undefined;
    shown.current = version;
    if (isChanged && eventId) void queries.invalidateQueries({ queryKey: eventKey(eventId) });
  }, [version, eventId, queries]);
}

function describe({
  deliveryId,
  attempts,
  status,
  sendingHolds = [],
}: components['schemas']['DeliveryDetails']): string {
  return [deliveryId, attempts, status, ...sendingHolds.map(({ cause }) => cause)].join(' ');
}
