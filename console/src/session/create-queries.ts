import { PostriderError } from '@postrider/client';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { refreshShortLists } from './first-page.js';
import { isWorthRetrying } from './is-worth-retrying.js';

/** A cache of responses. Each session has one of its own: keys of queries do not name the workspace or the token. */
export function createQueries(): QueryClient {
  const queries = new QueryClient({
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isRefusedByState(error)) void refreshShortLists(queries);
      },
    }),
    defaultOptions: {
      // A request without a network fails with an explanation instead of waiting silently.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        staleTime: 5_000,
      },
    },
  });
  return queries;
}

/** Whether a change was refused because something else was changed before, so that the page shows an earlier state. */
function isRefusedByState(error: Error): boolean {
  return error instanceof PostriderError && (error.status === 404 || error.status === 409);
}
