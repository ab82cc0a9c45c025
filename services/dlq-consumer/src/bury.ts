import { bury as decide } from '@postrider/shared/domain/bury';
import type { BurialStore } from '@postrider/shared/ports/burial';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';

export interface BuryParts {
  readonly store: BurialStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Ends one delivery whose retries are exhausted. A second message for it finds it ended and changes nothing.
 *
 * @returns what became of the message
 */
export function bury({ store, clock, log }: BuryParts) {
  return async ({ deliveryId, endpointId, traceId }: QueueMessage): Promise<'buried' | 'left'> => {
    const at = clock.now();
    let buried = false;
    const announced = await store.bury({ deliveryId, endpointId }, ({ delivery, endpoint }) => {
      const burial = decide(delivery, endpoint, at);
      buried = burial !== null;
      return burial;
    });
    const facts = { deliveryId, endpointId, traceId };
    if (buried) {
      const isFirst = announced.length > 0;
      log.info({ event: 'delivery.dead_lettered', ...facts, announced: isFirst }, 'a delivery was given up');
      return 'buried';
    }
    log.debug({ event: 'delivery.not_buried', ...facts }, 'the delivery has ended or goes on');
    return 'left';
  };
}
