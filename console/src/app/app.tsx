import { RouterProvider } from '@tanstack/react-router';
import { SessionProvider } from '../session/session-provider.js';
import { SessionQueries } from '../session/session-queries.js';
import { router } from './router.js';

/** The outer cache serves the sign-in; each session has one of its own. */
export function App() {
  return (
    <SessionQueries>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </SessionQueries>
  );
}
