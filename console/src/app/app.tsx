import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { SessionProvider } from '../session/session-provider.js';
import { isWorthRetrying } from './is-worth-retrying.js';
import { router } from './router.js';

const queries = new QueryClient({
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

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  );
}
