import type { components } from '@postrider/client';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { batchReads } from './batch-reads.js';

type NamedEndpoint = Pick<components['schemas']['Webhook'], 'id' | 'url' | 'description'>;
type ReadEndpoint = (id: string) => Promise<NamedEndpoint | null>;

const MAX_IDS = 200;
/** While a table of many endpoints is scrolled, the limit of requests must suffice for the rows, too. */
const PAUSE_MS = 300;
const FRESH_MS = 5 * 60_000;

/** One for each session: what all its rows ask for is asked for together. */
const readers = new WeakMap<QueryClient, ReadEndpoint>();

/** The endpoint with this id. Undefined while it is loaded, and without the permission; null if there is none any more. */
export function useEndpointName(endpointId: string): NamedEndpoint | null | undefined {
  const client = useClient();
  const queries = useQueryClient();
  const mayList = useMay('webhook:list');
  const { data } = useQuery({
    queryKey: ['endpoint-name', endpointId],
    queryFn: () => readerOf(queries, client)(endpointId),
    enabled: mayList,
    staleTime: FRESH_MS,
    retry: false,
  });
  return data;
}

function readerOf(queries: QueryClient, client: ReturnType<typeof useClient>): ReadEndpoint {
  const known = readers.get(queries);
  if (known !== undefined) return known;
  const reader = batchReads((ids) => readSeveral(client, ids), { most: MAX_IDS, pauseMs: PAUSE_MS });
  readers.set(queries, reader);
  return reader;
}

/** A page may be short. */
async function readSeveral(client: ReturnType<typeof useClient>, ids: readonly string[]) {
  const found = new Map<string, NamedEndpoint>();
  let cursor: string | null = null;
  do {
    const query: { ids: string; limit: number; cursor?: string } = {
      ids: ids.join(','),
      limit: MAX_IDS,
      ...(cursor !== null && { cursor }),
    };
    const page: components['schemas']['WebhookPage'] = await client.get('/webhooks', {
      params: { query },
    });
    for (const { id, url, description } of page.items) found.set(id, { id, url, description });
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}
