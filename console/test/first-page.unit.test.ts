import { hashKey, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect } from 'chai';
import {
  changeRows,
  keepFirstPage,
  refreshFirstPages,
  refreshShortLists,
} from '../src/session/first-page.js';

/** A list of pages with their numbers. The second page is answered by a call. */
async function aList() {
  const queries = new QueryClient();
  const second = Promise.withResolvers<number>();
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ['list'],
    queryFn: ({ pageParam }) => (pageParam === 1 ? second.promise : pageParam),
    initialPageParam: 0,
    getNextPageParam: (last: number) => last + 1,
  });
  const leave = list.subscribe(() => {});
  await list.refetch();
  const pages = () => queries.getQueryData<{ readonly pages: readonly number[] }>(['list'])?.pages;
  const leaveIt = () => {
    leave();
    keepFirstPage(queries, hashKey(['list']));
  };
  return { list, pages, leave: leaveIt, answer: () => second.resolve(1) };
}

describe('a list that is left', () => {
  it('keeps its first page', async () => {
    const { list, pages, leave, answer } = await aList();
    answer();
    await list.fetchNextPage();
    expect(pages()).to.deep.equal([0, 1]);
    leave();
    expect(pages()).to.deep.equal([0]);
  });

  // Regression: the page that arrived later brought back all that had been loaded, and each was read again with the list.
  it('keeps its first page while the next one is loaded', async () => {
    const { list, pages, leave, answer } = await aList();
    const loading = list.fetchNextPage();
    leave();
    answer();
    await loading;
    expect(pages()).to.deep.equal([0]);
  });
});

describe('lists that are shown while something is added', () => {
  /** A list of two pages that counts its requests. */
  const shownList = async (queries: QueryClient, queryKey: readonly string[]) => {
    let requests = 0;
    const list = new InfiniteQueryObserver(queries, {
      queryKey,
      queryFn: ({ pageParam }) => {
        requests++;
        return pageParam;
      },
      initialPageParam: 0,
      getNextPageParam: (last: number) => last + 1,
    });
    list.subscribe(() => {});
    await list.refetch();
    return { list, requests: () => requests };
  };

  // Regression: each page of a long list was read again after a selection was replayed.
  it('are read again if they have one page, and otherwise when they are shown anew', async () => {
    const queries = new QueryClient();
    const short = await shownList(queries, ['lists', 'short']);
    const long = await shownList(queries, ['lists', 'long']);
    await long.list.fetchNextPage();
    const before = [short.requests(), long.requests()];
    await refreshShortLists(queries, ['lists']);
    expect([short.requests(), long.requests()]).to.deep.equal([before[0]! + 1, before[1]]);
    expect(queries.getQueryState(['lists', 'long'])?.isInvalidated).to.equal(true);
  });

  /** A list of two pages with a row each. */
  const rowsOf = async (queries: QueryClient) => {
    let requests = 0;
    const list = new InfiniteQueryObserver(queries, {
      queryKey: ['rows'],
      queryFn: ({ pageParam }) => {
        requests++;
        return { items: [{ id: pageParam, isRevoked: false }], next: pageParam + 1 };
      },
      initialPageParam: 0,
      getNextPageParam: ({ next }) => next,
    });
    list.subscribe(() => {});
    await list.refetch();
    await list.fetchNextPage();
    requests = 0;
    const shown = () =>
      queries
        .getQueryData<{ pages: { items: { id: number; isRevoked: boolean }[] }[] }>(['rows'])
        ?.pages.flatMap(({ items }) => items.map(({ id, isRevoked }) => `${id} ${isRevoked}`));
    return { shown, requests: () => requests };
  };

  // Regression: each page was read again after a row was revoked, and the dialog stayed open until then.
  it('show a changed or removed row at once, without a request if they are long', async () => {
    const queries = new QueryClient();
    const { shown, requests } = await rowsOf(queries);
    type Row = { readonly id: number; readonly isRevoked: boolean };
    await changeRows<Row>(queries, ['rows'], (row) => (row.id === 1 ? { ...row, isRevoked: true } : row));
    expect(shown()).to.deep.equal(['0 false', '1 true']);
    await changeRows<Row>(queries, ['rows'], (row) => (row.id === 0 ? null : row));
    expect(shown()).to.deep.equal(['1 true']);
    expect(requests()).to.equal(0);
  });

  // Regression: a page that was being loaded arrived with the rows as they were, so that a revoked link was active again.
  it('keep a change of a row while the next page is loaded', async () => {
    const queries = new QueryClient();
    const third = Promise.withResolvers<void>();
    const list = new InfiniteQueryObserver(queries, {
      queryKey: ['rows'],
      queryFn: async ({ pageParam }) => {
        if (pageParam === 2) await third.promise;
        return { items: [{ id: pageParam }], next: pageParam + 1 };
      },
      initialPageParam: 0,
      getNextPageParam: ({ next }) => next,
    });
    list.subscribe(() => {});
    await list.refetch();
    await list.fetchNextPage();
    const loading = list.fetchNextPage();
    await changeRows<{ readonly id: number }>(queries, ['rows'], (row) => (row.id === 1 ? null : row));
    third.resolve();
    await loading;
    const { data, isFetchingNextPage } = list.getCurrentResult();
    const ids = data?.pages.map(({ items }) => items.map(({ id }) => id));
    expect([ids, isFetchingNextPage]).to.deep.equal([[[0], []], false]);
  });

  it('read one page again after something was added to their beginning', async () => {
    const queries = new QueryClient();
    const { shown, requests } = await rowsOf(queries);
    await refreshFirstPages(queries, ['rows']);
    expect([shown(), requests()]).to.deep.equal([['0 false'], 1]);
  });

  // Regression: a change that was refused because of another one read all pages of a long list again.
  it('stay as they are when everything else is read again', async () => {
    const queries = new QueryClient();
    const { requests } = await rowsOf(queries);
    const single = await shownList(queries, ['short']);
    const before = single.requests();
    await refreshShortLists(queries);
    expect([single.requests() - before, requests()]).to.deep.equal([1, 0]);
  });
});
