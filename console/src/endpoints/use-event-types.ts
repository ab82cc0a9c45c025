import { useQuery } from '@tanstack/react-query';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';

/** They change rarely. */
const STALE_AFTER_MS = 60_000;
const PAGE_LIMIT = 200;

/** The names of all event types of the installation, by name. Without the permission nothing is loaded. */
export function useEventTypes() {
  const client = useClient();
  const mayList = useMay('event_type:list');
  return useQuery({
    queryKey: ['event-types'],
    queryFn: async () => {
      const names: string[] = [];
      const pages = { params: { query: { limit: PAGE_LIMIT } } };
      for await (const { name } of client.paginate('/event-types', pages)) names.push(name);
      return names;
    },
    enabled: mayList,
    staleTime: STALE_AFTER_MS,
  });
}
