import type { components } from '@postrider/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { PageHead } from '../ui/page-head.js';
import { Queried } from '../ui/queried.js';
import { EndpointState } from './endpoint-state.js';

type Webhook = components['schemas']['Webhook'];

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: texts.endpoints.url,
    cell: ({ id, url }) => (
      <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
        {url}
      </Link>
    ),
  },
  { title: texts.endpoints.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { title: texts.endpoints.failures, cell: ({ consecutiveFailures }) => consecutiveFailures },
  { title: texts.endpoints.eventTypes, cell: ({ eventTypes }) => eventTypes.join(', ') },
  { title: texts.endpoints.description, cell: ({ description }) => description },
];

export function EndpointsPage() {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: ['endpoints', client],
    queryFn: ({ pageParam }) =>
      client.get('/webhooks', { params: { query: { limit: 200, ...(pageParam && { cursor: pageParam }) } } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { hasNextPage, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, fetchNextPage]);
  return (
    <>
      <PageHead title={texts.endpoints.title} />
      <Queried query={query}>
        {({ pages }) => {
          const endpoints = pages.flatMap(({ items }) => items);
          if (endpoints.length === 0)
            return (
              <EmptyState title={texts.endpoints.empty}>
                <p>{texts.endpoints.emptyHint}</p>
              </EmptyState>
            );
          return (
            <DataTable
              label={texts.endpoints.title}
              columns={COLUMNS}
              rows={endpoints}
              keyOf={({ id }) => id}
              onEnd={loadMore}
            />
          );
        }}
      </Queried>
    </>
  );
}
