import { createFanOut } from '@postrider/dispatcher/fan-out/fan-out';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { newTraceId } from '@postrider/shared/runtime/trace';
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
  { workspaces, events }: Backlog & Target,
  { make, publish, mongodbUri }: SeedDeps,
): Promise<void> {
  const database = await connectMongo(mongodbUri, 'bench');
  const fanOutEvents = createFanOut({
    store: createFanOutStore(database.collections),
    enqueue: createEnqueue(publish),
    clock: { now: () => new Date() },
  });
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
