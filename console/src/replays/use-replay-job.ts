import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { pollBy } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';

type ReplayJob = components['schemas']['ReplayJob'];

/** A job that has not ended is read again. */
const REFRESH_MS = 1_000;

/** A job, up to date until it has ended. */
export function useReplayJob(jobId: string) {
  const client = useClient();
  return useQuery<ReplayJob>({
    queryKey: ['replay-job', jobId],
    queryFn: () => client.get('/webhooks/replay-jobs/{jobId}', { params: { path: { jobId } } }),
    refetchInterval: pollBy<ReplayJob>((job) => job?.endedAt === null && REFRESH_MS),
  });
}
