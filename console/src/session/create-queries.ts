import { QueryClient } from '@tanstack/react-query';
import { isWorthRetrying } from './is-worth-retrying.js';

/** A cache of responses. Each session has one of its own: keys of queries do not name the workspace or the token. */
export function createQueries(): QueryClient {
  return new QueryClient({
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
}
