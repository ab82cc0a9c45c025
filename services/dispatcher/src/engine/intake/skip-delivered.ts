import type { DeliveryId } from '@postrider/shared/domain/id';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { TurnLimit } from '@postrider/shared/runtime/turns';

interface Appended {
  readonly message: QueueMessage;
  /** The broker's append time, in milliseconds. */
  readonly appendedAt: number;
}

/**
 * Skips deliveries that were made before this process owned their partition. One slow delivery holds back the committed
 * offset, so thousands of messages may be read again: one query for many of them is cheaper than a slot and a read with the
 * payload for each, and leaves the slots to new messages.
 */
export interface SkipDelivered<Received> {
  /** Call after an assignment: another process may have owned the partitions until now. */
  assigned(): void;
  /** Adds a message, at once or after a query. */
  accept(received: Received): void;
}

interface SkipDeliveredParts<Received> {
  readonly store: Pick<SettlementStore, 'deliveredOf'>;
  readonly add: (received: Received) => void;
  readonly skip: (received: Received) => void;
  readonly onAdded: () => void;
  readonly clockMs: () => number;
  /** Splits adding checked messages into turns of the event loop. */
  readonly turn: TurnLimit;
  readonly later: (task: () => void, ms: number) => void;
  readonly log: Log;
}

const BATCH = 500;
/** How long messages wait to share a query, in milliseconds. */
const GATHER_MS = 5;
/**
 * If a smaller fraction of the messages checked since the assignment was delivered, they are a backlog, and further queries
 * would only add to it. Fewer messages than a batch decide nothing.
 */
const WORTHWHILE = 0.1;

export function createSkipDelivered<Received extends Appended>(
  parts: SkipDeliveredParts<Received>,
): SkipDelivered<Received> {
  const { store, add, skip, onAdded, clockMs, turn, later, log } = parts;
  let since = Number.NEGATIVE_INFINITY;
  let waiting: Received[] = [];
  /** Counts since the last assignment. */
  let checked = { messages: 0, delivered: 0 };

  const deliveredOf = async (batch: readonly Received[]): Promise<ReadonlySet<DeliveryId>> => {
    try {
      return await store.deliveredOf(batch.map(({ message }) => message.deliveryId));
    } catch (err) {
      log.warn(
        { event: 'skip_delivered.failed', size: batch.length, err },
        'whether messages were delivered before could not be read: they are added, and their rows are read before their attempts',
      );
      return new Set();
    }
  };
  const check = async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    const counts = checked;
    const delivered = await deliveredOf(batch);
    counts.messages += batch.length;
    counts.delivered += delivered.size;
    const isBacklog = counts.messages >= BATCH && counts.delivered < counts.messages * WORTHWHILE;
    if (isBacklog && counts === checked) since = Number.NEGATIVE_INFINITY;
    for (const received of batch) {
      if (turn.isOver()) await turn.wait();
      if (delivered.has(received.message.deliveryId)) skip(received);
      else add(received);
    }
    onAdded();
  };

  return {
    assigned() {
      since = clockMs();
      checked = { messages: 0, delivered: 0 };
    },
    accept(received) {
      if (received.appendedAt >= since) return add(received);
      waiting.push(received);
      if (waiting.length === 1) later(() => void check(), GATHER_MS);
      else if (waiting.length >= BATCH) void check();
    },
  };
}
