import { createFanOut } from '@postrider/dispatcher/fan-out/fan-out';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { backoffMs, MAX_RETRIES } from '@postrider/shared/domain/retry-policy';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Enqueue } from '@postrider/shared/ports/queue';
import { retryTopic } from '@postrider/shared/ports/topics';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Backlog } from './plan.js';

export interface SeedDeps {
  /** Creates the next event of a workspace. */
  readonly make: (workspace: number) => DomainEvent;
  readonly enqueue: Enqueue;
  readonly mongodbUri: string;
}

/** Events that are fanned out together. */
const CHUNK = 500;

/** Fans out events without publishing them: stores their rows and queues their messages. */
export async function seedBacklog(plan: Backlog, { make, enqueue, mongodbUri }: SeedDeps): Promise<void> {
  const { workspaces, events, retryStepMs } = plan;
  const database = await connectMongo(mongodbUri, 'bench');
  const fresh = { store: createFanOutStore(database.collections), enqueue };
  const parts = retryStepMs === null ? fresh : asRetries(fresh, retryStepMs);
  const fanOutEvents = createFanOut({ ...parts, clock: { now: () => new Date() } });
  try {
    for (let from = 0; from < events; from += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, events - from) }, (_, index) =>
        make(workspaces[(from + index) % workspaces.length] ?? 0),
      );
      await fanOutEvents(chunk.map(asRead), async () => {});
    }
  } finally {
    await database.close();
  }
}

function asRead({ type, payload }: DomainEvent) {
  return { type, payload, occurredAt: new Date(payload.occurredAt), traceId: newTraceId() };
}

interface FanOutDeps {
  readonly store: FanOutStore;
  readonly enqueue: Enqueue;
}

/** Stores each delivery as failed and queues it in the delay topic of its next attempt. */
function asRetries({ store, enqueue }: FanOutDeps, stepMs: number): FanOutDeps {
  const failed = (row: Delivery): Delivery => {
    const attempts = failuresOf(row.id);
    const due = new Date(Date.now() + backoffMs(attempts, stepMs));
    return {
      ...row,
      attempts,
      status: 'failed',
      failureReason: 'timeout',
      nextAttemptAt: due,
      dueAt: due,
      failingSince: null,
    };
  };
  return {
    store: { ...store, insert: (rows) => store.insert(rows.map(failed)) },
    enqueue: (queued) =>
      enqueue(
        queued.map(({ message }) => {
          const attempts = failuresOf(message.deliveryId);
          return { topic: retryTopic(attempts), message: { ...message, ordinal: attempts + 1 } };
        }),
      ),
  };
}

/** One to six, spread by the end of the id, which is a hash. */
function failuresOf(deliveryId: string): number {
  return (deliveryId.charCodeAt(deliveryId.length - 2) % MAX_RETRIES) + 1;
}
