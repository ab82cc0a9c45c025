import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';

/** They change rarely. */
const STALE_AFTER_MS = 60_000;

/** The names of all event types of the installation, by name. Empty until they are loaded. */
export function useEventTypes(): readonly string[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['event-types'],
    queryFn: async () => {
      const names: string[] = [];
      for await (const { name } of client.paginate('/event-types')) names.push(name);
      return names;
    },
    staleTime: STALE_AFTER_MS,
  });
  return data;
}
