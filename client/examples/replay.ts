import type { Client, CreateReplayJob } from '@postrider/client';

/** Replays what an endpoint missed since a time, oldest first. A second run skips what the first one has replayed. */
export async function replayMissed(postrider: Client, endpointId: string, since: Date): Promise<number> {
  const replay = async (more: Partial<CreateReplayJob>) => {
    const job = await postrider.replayAll({ endpointId, createdAfter: since.toISOString(), ...more });
    if (job.status !== 'succeeded') throw new Error(`replay job ${job.jobId} ${job.status}`);
    return job;
  };
  const { matched } = await replay({ dryRun: true });
  if (matched === 0) return 0;
  const { replayed } = await replay({ ratePerSecond: 200 });
  return replayed;
}
