import { useQuery } from '@tanstack/react-query';
import { searchEndpoints } from '../endpoint-names/search-endpoints.js';
import { ANY_CONCERN } from '../health/concerns.js';
import { pollEvery } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';

const REFRESH_MS = 30_000;
const MAX_FOUND = 200;

/** The endpoints that need attention, and why sending is held. Components that use it share its requests. */
export function useAttention() {
  const client = useClient();
  return useQuery({
    queryKey: ['endpoints', 'attention'],
    queryFn: ({ signal }) =>
      searchEndpoints(MAX_FOUND, (page) =>
        client.get('/webhooks', {
          params: { query: { state: ANY_CONCERN, health: true, ...page } },
          signal,
        }),
      ),
    refetchInterval: pollEvery(REFRESH_MS),
  });
}
