import type { components } from '@postrider/client';

/** Whether another attempt can follow. */
export function isOpen({ status }: Pick<components['schemas']['Delivery'], 'status'>): boolean {
  return status === 'pending' || status === 'failed';
}
