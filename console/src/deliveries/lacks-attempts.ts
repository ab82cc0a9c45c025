import type { components } from '@postrider/client';
import { isBookkeeping } from './is-bookkeeping.js';

type Delivery = Pick<components['schemas']['Delivery'], 'attempts' | 'status'>;
type Attempt = Pick<components['schemas']['DeliveryAttempt'], 'failureReason' | 'status'>;

const ENDED: ReadonlySet<Delivery['status']> = new Set(['delivered', 'failed_permanent', 'dead_lettered']);

/**
 * Whether the attempts were read before the delivery. The record that has ended a delivery has its status. Records can also
 * be absent because they have expired.
 */
export function lacksAttempts({ attempts, status }: Delivery, records: readonly Attempt[]): boolean {
  if (records.filter((record) => !isBookkeeping(record)).length < attempts) return true;
  return ENDED.has(status) && records.at(-1)?.status !== status;
}
