import type { components } from '@postrider/client';

/** The statuses of deliveries that can be replayed; those that nothing retries any more come first. */
export const REPLAYABLE_STATUSES = [
  'failed_permanent',
  'dead_lettered',
  'failed',
] as const satisfies readonly components['schemas']['ReplayableStatus'][];
export type ReplayableStatus = (typeof REPLAYABLE_STATUSES)[number];

export function isReplayableStatus(status: string): status is ReplayableStatus {
  return (REPLAYABLE_STATUSES as readonly string[]).includes(status);
}
