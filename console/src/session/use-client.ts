import { type ClientOptions, createClient } from '@postrider/client';
import { useMemo } from 'react';
import { API_BASE } from './api-base.js';
import { useSession } from './session-provider.js';

type RetryOptions = NonNullable<ClientOptions['retry']>;

/** A person waits for the response, so a long `Retry-After` is shown instead of waited for. */
const SHORT_WAITS: RetryOptions = { times: 2, longestWaitMs: 5_000 };

/** The typed client of the current session. Pass the same `retry` each time: another one makes another client. */
export function useClient(retry = SHORT_WAITS) {
  const { token, workspace } = useSession();
  return useMemo(
    () =>
      createClient({
        baseUrl: API_BASE,
        workspace: workspace.slug,
        token,
        retry,
      }),
    [token, workspace.slug, retry],
  );
}
