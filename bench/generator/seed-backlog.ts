import { createFanOut } from '@postrider/dispatcher/fan-out/fan-out';
import { backoffMs, MAX_RETRIES } from '@postrider/shared/domain/retry-policy';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { retryTopic } from '@postrider/shared/ports/topics';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { aFailedDelivery } from '@postrider/shared/testing/builders';
import type { Backlog, Target } from './plan.js';

export interface SeedDeps {
  /** Creates the next event of a workspace. */
  readonly make: (workspace: number) => DomainEvent;
  readonly publish: Parameters<typeof createEnqueue>[0];
  readonly mongodbUri: string;
}

/** Events that are fanned out together. */
const CHUNK = 500;

/** Fans out events without publishing them: stores their rows and queues their messages. */
export async function seedBacklog(
  { workspaces, events, retryStepMs }: Backlog & Target,
  { make, publish, mongodbUri }: SeedDeps,
): Promise<void> {
  const database = await connectMongo(mongodbUri, 'bench');
  const fresh = { store: createFanOutStore(database.collections), enqueue: createEnqueue(publish) };
  const deps = retryStepMs === undefined ? fresh : asRetries(fresh, retryStepMs);
  const fanOutEvents = createFanOut({ ...deps, clock: { now: () => new Date() } });
  try {
    for (let from = 0; from < events; from += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, events - from) }, (_, index) => {
        const { type, payload } = make(workspaces[(from + index) % workspaces.length] ?? 0);
        return { type, payload, occurredAt: new Date(payload.occurredAt), traceId: newTraceId() };
      });
      await fanOutEvents(chunk, async () => {});
    }
  } finally {
    await database.close();
  }
}

type FanOutDeps = Pick<Parameters<typeof createFanOut>[0], 'store' | 'enqueue'>;

/** Stores each delivery as failed and queues it in the delay topic of its next attempt. */
function asRetries({ store, enqueue }: FanOutDeps, stepMs: number): FanOutDeps {
  return {
    store: {
      ...store,
      insert(rows) {
        const failed = rows.map((row) => {
          const attempts = failuresOf(row.id);
          const dueAt = new Date(Date.now() + backoffMs(attempts, stepMs));
          return aFailedDelivery(attempts, { ...row, ...FAILED, attempts, nextAttemptAt: dueAt, dueAt });
        });
        return store.insert(failed);
      },
    },
    enqueue: (queued) =>
      enqueue(
        queued.map(({ message }) => {
          const attempts = failuresOf(message.deliveryId);
          return { topic: retryTopic(attempts), message: { ...message, ordinal: attempts + 1 } };
        }),
      ),
  };
}

const FAILED = { status: 'failed', failureReason: 'timeout' } as const;

/** One to six, spread by the end of the id, which is a hash. */
function failuresOf(deliveryId: string): number {
  return (deliveryId.charCodeAt(deliveryId.length - 2) % MAX_RETRIES) + 1;
}
