import { createClient } from '@postrider/client';
import { useMemo } from 'react';
import { API_BASE } from './api-base.js';
import { useSession } from './session-provider.js';

/** A person waits for the response, so a long `Retry-After` is shown instead of waited for. */
const LONGEST_WAIT_MS = 5_000;

/** The typed client of the current session. */
export function useClient() {
  const { token, workspace } = useSession();
  return useMemo(
    () =>
      createClient({
        baseUrl: API_BASE,
        workspace: workspace.slug,
        token,
        retry: { times: 2, longestWaitMs: LONGEST_WAIT_MS },
      }),
    [token, workspace.slug],
  );
}
