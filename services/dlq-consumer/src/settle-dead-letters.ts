import { deadLetterAll } from '@postrider/shared/domain/dead-letter';
import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import type { Stored } from '@postrider/shared/domain/settle-all';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DeadLetterStore } from '@postrider/shared/ports/dead-letter';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';

export interface SettleDeadLettersParts {
  readonly store: DeadLetterStore;
  /** Called with the deliveries that have ended. */
  readonly onEnded: (ended: readonly DeliverySummary[], at: Date) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ends deliveries, all of them or none. @returns the result of each message, in the order given */
export type SettleDeadLetters = (
  messages: readonly QueueMessage[],
) => Promise<readonly ('dead_lettered' | 'skipped')[]>;

/**
 * Ends the deliveries whose retries are exhausted, in one transaction. A second message for one of them is skipped,
 * because the delivery has ended by then.
 */
export function createSettleDeadLetters({
  store,
  onEnded,
  clock,
  log,
}: SettleDeadLettersParts): SettleDeadLetters {
  return async (messages) => {
    const at = clock.now();
    const decide = (stored: Stored) => deadLetterAll(stored, messages, at);
    const { settlements, records } = await store.settle(messages, decide);
    onEnded(
      settlements.flatMap((settlement) => settlement?.delivery ?? []),
      at,
    );
    const announced = new Set(records.map(({ id }) => id));
    return messages.map(({ deliveryId, endpointId, traceId }, index) => {
      const settlement = settlements[index] ?? null;
      const facts = { deliveryId, endpointId, traceId };
      if (settlement === null) {
        log.debug({ event: 'delivery.not_dead_lettered', ...facts }, 'the delivery is not exhausted');
        return 'skipped';
      }
      // Only the first delivery of an outage is announced.
      const isFirst = announced.delete(settlement.notification.id);
      log.info({ event: 'delivery.dead_lettered', ...facts, announced: isFirst }, 'a delivery was given up');
      return 'dead_lettered';
    });
  };
}
