import { InvalidArgumentError } from 'commander';
import { several } from '../context/parse-options.js';
import { STATUS_COLOURS } from './status-colours.js';

/** The statuses of deliveries. */
export const STATUSES: readonly string[] = Object.keys(STATUS_COLOURS);

/** Collects statuses and checks them: for a wrong one, a stream would show nothing, without an error. */
export function deliveryStatuses(text: string, before?: readonly string[]): readonly string[] {
  const statuses = several(text, before);
  if (statuses.every((status) => STATUSES.includes(status))) return statuses;
  const held = statuses.includes('held') ? ' What is shown as held has the status failed_permanent.' : '';
  throw new InvalidArgumentError(`Give some of ${STATUSES.join(', ')}.${held}`);
}
