import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { refreshWhileHeld } from '../holds/refresh-while-held.js';
import { pollBy } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';

/** As often as the overview: the health changes with each attempt, and the time of the next test event passes. */
const REFRESH_MS = 30_000;

/** An endpoint with its health, read again while it is shown. Without an id nothing is loaded. */
export function useEndpoint(endpointId: string | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: () =>
      client.get('/webhooks/{endpointId}', {
        params: { path: { endpointId: endpointId ?? '' }, query: { health: true } },
      }),
    enabled: endpointId !== undefined,
    refetchInterval: pollBy<components['schemas']['WebhookDetails']>(
      (endpoint) => refreshWhileHeld(endpoint?.sendingHolds) || REFRESH_MS,
    ),
  });
}
