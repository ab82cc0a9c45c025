import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

interface ListState {
  readonly state: { readonly data: { readonly pages: readonly unknown[] } | undefined };
}

/** Whether reading a list again takes one request. */
export function hasOnePage({ state: { data } }: ListState): boolean {
  return data === undefined || data.pages.length === 1;
}

/** Forgets all but the first page of a list that is left, which alone is read again when the list is shown again. */
export function keepFirstPage(queries: QueryClient, hash: string): void {
  const query = queries.getQueryCache().get<InfiniteData<unknown, string>>(hash);
  if (query === undefined) return;
  // A page that is being loaded would arrive with all those before it.
  if (query.state.fetchMeta?.fetchMore) void query.cancel({ revert: true });
  if (hasOnePage(query)) return;
  const { queryKey, state } = query;
  queries.setQueryData<InfiniteData<unknown, string>>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    { updatedAt: state.dataUpdatedAt },
  );
}

/** Reads lists again that are shown and have one page. To read more would take a request for each page, and move the rows. */
export function refreshShortLists(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  void queries.invalidateQueries({ queryKey, refetchType: 'none' });
  return queries.refetchQueries({
    queryKey,
    type: 'active',
    predicate: ({ state }) => hasOnePage({ state: state as ListState['state'] }),
  });
}
