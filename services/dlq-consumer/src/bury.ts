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

/** Ends one delivery whose retries are exhausted. A second message for it finds it ended and changes nothing. */
export function bury({ store, clock, log }: BuryParts) {
  return async ({ deliveryId, endpointId, traceId }: QueueMessage): Promise<void> => {
    const at = clock.now();
    const announced = await store.bury({ deliveryId, endpointId }, ({ delivery, endpoint }) =>
      decide(delivery, endpoint, at),
    );
    const facts = {
      event: 'delivery.dead_lettered',
      deliveryId,
      endpointId,
      traceId,
      announced: announced.length > 0,
    };
    log.info(facts, 'a delivery was given up');
  };
}
