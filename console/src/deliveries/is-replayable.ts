import type { components } from '@postrider/client';

/** The statuses of deliveries that can be replayed. */
export const REPLAYABLE: ReadonlySet<string> = new Set(['failed', 'failed_permanent', 'dead_lettered']);

/** Whether the api accepts a replay of a delivery with this status. */
export function isReplayable({ status }: Pick<components['schemas']['Delivery'], 'status'>): boolean {
  return REPLAYABLE.has(status);
}
