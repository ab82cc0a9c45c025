import { useQuery } from '@tanstack/react-query';
import { pollBy } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';
import { refreshWhileHeld } from './refresh-while-held.js';
import type { SendingHold } from './sending-holds.js';

interface ListAnswer {
  /** The newest answer of the list. */
  readonly latest: { readonly sendingHolds?: SendingHold[] } | undefined;
  /** When it was read. */
  readonly readAt: number;
}

/**
 * Why sending is held: as the newest answer of a list says, then read again while it is shown. Reading all loaded pages again
 * would cost more, and move the rows that the user looks at.
 */
export function useCurrentHolds({ latest, readAt }: ListAnswer) {
  const client = useClient();
  const holds = latest?.sendingHolds ?? [];
  const { data } = useQuery({
    queryKey: ['sending-holds', readAt],
    queryFn: async () => {
      const { sendingHolds = [] } = await client.get('/webhooks', { params: { query: { limit: 1 } } });
      return sendingHolds;
    },
    enabled: holds.length > 0,
    initialData: holds,
    // Only the interval reads them again, not the mounting of a page.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: pollBy(refreshWhileHeld),
  });
  return data;
}
