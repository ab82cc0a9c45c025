import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';

/** An endpoint with its health. Without an id nothing is loaded. */
export function useEndpoint(endpointId: string | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ['endpoint', endpointId],
    queryFn: () =>
      client.get('/webhooks/{endpointId}', {
        params: { path: { endpointId: endpointId ?? '' }, query: { health: true } },
      }),
    enabled: endpointId !== undefined,
  });
}
