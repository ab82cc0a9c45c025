import type { Clock } from '@postrider/shared/ports/clock';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import { type Enqueue, firstMessage } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { planDeliveries } from './plan-deliveries.js';
import type { ReadEvent } from './read-event.js';

export interface FanOutParts {
  readonly store: FanOutStore;
  readonly enqueue: Enqueue;
  readonly clock: Clock;
}

/** Rows in one insert and messages in one send. */
const CHUNK = 500;

/**
 * Creates the delivery rows of events and publishes their messages. Rows are stored first, because a message without a
 * row would be dropped. Messages of existing rows are published again, because a crash may have prevented it before.
 *
 * @param heartbeat called between chunks, so that a large fan-out does not exceed the session
 */
export function createFanOut({ store, enqueue, clock }: FanOutParts) {
  return async (events: readonly ReadEvent[], heartbeat: () => Promise<void>): Promise<void> => {
    if (events.length === 0) return;
    const workspaces = [...new Set(events.map(({ payload }) => payload.workspaceId))];
    const endpoints = await store.subscribers(workspaces, [...new Set(events.map(({ type }) => type))]);
    for (const rows of inChunks(planDeliveries(events, endpoints, clock.now()), CHUNK)) {
      await store.insert(rows);
      await enqueue(rows.map((row) => ({ topic: DELIVERIES_TOPIC, message: firstMessage(row) })));
      await heartbeat();
    }
  };
}

function* inChunks<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
