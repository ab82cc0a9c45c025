import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';

/** A job that has not ended is read again. */
const REFRESH_MS = 1_000;

/** A job, up to date until it has ended. No request is sent while there is no id. */
export function useReplayJob(jobId: string | null) {
  const client = useClient();
  return useQuery<components['schemas']['ReplayJob']>({
    queryKey: ['replay-job', jobId],
    queryFn: () => client.get('/webhooks/replay-jobs/{jobId}', { params: { path: { jobId: jobId ?? '' } } }),
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (state.data?.endedAt === null ? REFRESH_MS : false),
  });
}
