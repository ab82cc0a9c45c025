import { hashKey, type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { hasOnePage, keepFirstPage } from './first-page.js';
import { pollBy } from './poll-every.js';
import { useClient } from './use-client.js';

type Client = ReturnType<typeof useClient>;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface ListQuery<Item, Answer> {
  /** Identifies the list and its filters. */
  readonly key: readonly unknown[];
  /** How often the list is read again while it has one page, by its rows, in milliseconds; false to read it once. */
  readonly everyMs?: (rows: readonly Item[]) => number | false;
  /** Fetches one page. */
  fetchPage(client: Client, page: { readonly limit: number; readonly cursor?: string }): Promise<Answer>;
}

const PAGE_SIZE = 200;

/**
 * Loads a list page by page: the next one when the end of the table comes into view. To read all loaded pages again would take
 * a request for each, and move the rows that the user looks at.
 */
export function useList<Item, Answer extends Page<Item> = Page<Item>>(list: ListQuery<Item, Answer>) {
  const { key, fetchPage, everyMs = () => false } = list;
  const client = useClient();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      fetchPage(client, { limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchOnWindowFocus: hasOnePage,
    refetchInterval: pollBy<InfiniteData<Answer, string>>(
      (data) => data?.pages.length === 1 && everyMs(data.pages[0]?.items ?? []),
    ),
  });
  const hash = hashKey(key);
  useEffect(() => () => keepFirstPage(queries, hash), [queries, hash]);
  const { data, dataUpdatedAt, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const retry = query.isFetchNextPageError ? fetchNextPage : query.refetch;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  // Pages are read in their order, so the last one is the newest answer.
  const latest = data?.pages.at(-1);
  return {
    /** After an error, `refetch` repeats only what has failed: the page that was loaded next, or the list. */
    rows: { data: rows, error, refetch: retry },
    latest,
    /** When `latest` was read, in milliseconds since 1970; 0 if nothing was. */
    readAt: dataUpdatedAt,
    /** The last page added no rows, so the end of the table is as near as before. */
    isLatestEmpty: latest?.items.length === 0,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
    /** Forgets what was loaded, and loads the first page. */
    restart: () => void queries.resetQueries({ queryKey: key, exact: true }),
  };
}
