import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

/** Whether reading a query again takes one request. */
export function hasOnePage({ state: { data } }: { readonly state: { readonly data: unknown } }): boolean {
  return !isList(data) || data.pages.length === 1;
}

function isList(data: unknown): data is InfiniteData<unknown, string> {
  return typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;
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

/** Reads what is shown again, but of the lists only those with one page. To read more would take a request for each page, and move the rows. */
export function refreshShortLists(queries: QueryClient, queryKey: QueryKey = []): Promise<void> {
  void queries.invalidateQueries({ queryKey, refetchType: 'none' });
  return queries.refetchQueries({ queryKey, type: 'active', predicate: hasOnePage });
}

/** Reads lists again to whose beginning something was added. Of long ones only the first page remains. */
export function refreshFirstPages(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  for (const { queryHash } of queries.getQueryCache().findAll({ queryKey }))
    keepFirstPage(queries, queryHash);
  return queries.invalidateQueries({ queryKey });
}

interface Page<Row> {
  readonly items: readonly Row[];
}

/** Shows at once what has changed in the rows of lists. */
export async function changeRows<Row>(
  queries: QueryClient,
  queryKey: QueryKey,
  /** Null removes the row. */
  change: (row: Row) => Row | null,
): Promise<void> {
  // What is being loaded would arrive with the rows as they were. The end of a table loads its next page again.
  await queries.cancelQueries({ queryKey });
  queries.setQueriesData<InfiniteData<Page<Row>, string>>(
    { queryKey },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.flatMap((row) => change(row) ?? []) })),
      },
  );
  return refreshShortLists(queries, queryKey);
}
