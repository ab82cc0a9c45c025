import type { components } from '@postrider/client';
import type { Terminal } from '../context/terminal.js';
import { STATUS_COLOURS } from './status-colours.js';

type Shown = Pick<components['schemas']['Delivery'], 'status' | 'failureReason'>;

/** The name for a delivery that was not sent because its endpoint is disabled. JSON has the status of the api. */
const HELD = 'held';

export function statusOf({ status, failureReason }: Shown): string {
  return failureReason === 'endpoint_disabled' ? HELD : status;
}

/** The status in its colour. */
export function paintStatus(delivery: Shown, paint: Terminal['paint']): string {
  const shown = statusOf(delivery);
  return paint(shown === HELD ? 'yellow' : STATUS_COLOURS[delivery.status], shown);
}
