import type { Client } from '@postrider/client';

/** Replays what an endpoint missed since a time, oldest first. A second run skips what the first one has replayed. */
export async function replayMissed(postrider: Client, endpointId: string, since: Date): Promise<number> {
  const selection = { endpointId, createdAfter: since.toISOString() };
  const { matched } = await postrider.replayAll({ ...selection, dryRun: true });
  if (matched === 0) return 0;
  const job = await postrider.replayAll({ ...selection, ratePerSecond: 200 });
  return job.replayed;
}
