import type { components } from '@postrider/client';
import { isReplayableStatus } from './replayable-statuses.js';

/** Whether the api accepts a replay of a delivery with this status. */
export function isReplayable({ status }: Pick<components['schemas']['Delivery'], 'status'>): boolean {
  return isReplayableStatus(status);
}
