import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { Refusal } from './refusal.js';

/** @throws Refusal with what to do instead, for a delivery that may not be replayed (specification, section 3.1) */
export function requireReplayable({ status }: Pick<DeliverySummary, 'status'>): void {
  switch (status) {
    case 'pending':
      throw new Refusal(
        'DeliveryNotReplayable',
        'The delivery is pending: it is sent without a replay. Replay it only if it ends as failed_permanent or dead_lettered.',
      );
    case 'delivered':
      throw new Refusal(
        'DeliveryNotReplayable',
        'The delivery is delivered: only failed, failed_permanent and dead_lettered deliveries can be replayed. ' +
          'To send its data again, publish it as a new event.',
      );
    case 'failed':
    case 'failed_permanent':
    case 'dead_lettered':
  }
}
