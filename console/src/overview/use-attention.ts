import { useQuery } from '@tanstack/react-query';
import { ANY_CONCERN } from '../health/concerns.js';
import { pollEvery } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';

const REFRESH_MS = 30_000;
const PAGE_LIMIT = 200;

/** The endpoints that need attention, and why sending is held. Components that use it share its requests. */
export function useAttention() {
  const client = useClient();
  return useQuery({
    queryKey: ['endpoints', 'attention'],
    queryFn: () =>
      client.get('/webhooks', {
        params: { query: { state: ANY_CONCERN, health: true, limit: PAGE_LIMIT } },
      }),
    refetchInterval: pollEvery(REFRESH_MS),
  });
}
