import { buryAll } from '@postrider/shared/domain/bury-all';
import type { BurialStore } from '@postrider/shared/ports/burial';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';

export interface BuryParts {
  readonly store: BurialStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends deliveries, all of them or none. @returns what became of each message, in the order given */
export type Bury = (messages: readonly QueueMessage[]) => Promise<readonly ('buried' | 'left')[]>;

/**
 * Ends the deliveries whose retries are exhausted, in one transaction. A second message for one of them finds it ended
 * and changes nothing.
 */
export function bury({ store, clock, log }: BuryParts): Bury {
  return async (messages) => {
    const at = clock.now();
    const { burials, records } = await store.bury(messages, (stored) => buryAll(stored, messages, at));
    const announced = new Set(records.map(({ id }) => id));
    return messages.map(({ deliveryId, endpointId, traceId }, index) => {
      const burial = burials[index] ?? null;
      const facts = { deliveryId, endpointId, traceId };
      if (burial === null) {
        log.debug({ event: 'delivery.not_buried', ...facts }, 'the delivery has ended or goes on');
        return 'left';
      }
      // The first of an outage announces it.
      const isFirst = announced.delete(burial.notification.id);
      log.info({ event: 'delivery.dead_lettered', ...facts, announced: isFirst }, 'a delivery was given up');
      return 'buried';
    });
  };
}
