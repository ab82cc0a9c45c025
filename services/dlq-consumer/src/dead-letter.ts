import { deadLetterAll } from '@postrider/shared/domain/dead-letter-all';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DeadLetterStore } from '@postrider/shared/ports/dead-letter';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';

export interface DeadLetterParts {
  readonly store: DeadLetterStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends deliveries, all of them or none. @returns what became of each message, in the order given */
export type DeadLetterMessages = (
  messages: readonly QueueMessage[],
) => Promise<readonly ('dead_lettered' | 'left')[]>;

/**
 * Ends the deliveries whose retries are exhausted, in one transaction. A second message for one of them finds it ended
 * and changes nothing.
 */
export function bury({ store, clock, log }: DeadLetterParts): DeadLetterMessages {
  return async (messages) => {
    const at = clock.now();
    const { burials, records } = await store.bury(messages, (stored) => deadLetterAll(stored, messages, at));
    const announced = new Set(records.map(({ id }) => id));
    return messages.map(({ deliveryId, endpointId, traceId }, index) => {
      const burial = burials[index] ?? null;
      const facts = { deliveryId, endpointId, traceId };
      if (burial === null) {
        log.debug({ event: 'delivery.not_dead_lettered', ...facts }, 'the delivery has ended or goes on');
        return 'left';
      }
      // The first of an outage announces it.
      const isFirst = announced.delete(burial.notification.id);
      log.info({ event: 'delivery.dead_lettered', ...facts, announced: isFirst }, 'a delivery was given up');
      return 'dead_lettered';
    });
  };
}
