import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useClient } from './use-client.js';

type Client = ReturnType<typeof useClient>;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface ListQuery<Item> {
  /** Identifies the list and its filters. */
  readonly key: readonly unknown[];
  /** Fetches one page. */
  fetchPage(client: Client, page: { readonly limit: number; readonly cursor?: string }): Promise<Page<Item>>;
}

const PAGE_SIZE = 200;

/** Loads a list page by page: the next one when the end of the table comes into view. */
export function useList<Item>({ key, fetchPage }: ListQuery<Item>) {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      fetchPage(client, { limit: PAGE_SIZE, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  return { rows: { data: rows, error, refetch }, hasMore: hasNextPage, loadMore };
}
