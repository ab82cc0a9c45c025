import { createFanOut } from '@postrider/dispatcher/fan-out/fan-out';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import type { Log } from '@postrider/shared/ports/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Backlog, Target } from './plan.js';

export interface SeedDeps {
  /** Creates the next event of a workspace. */
  readonly make: (workspace: number) => DomainEvent;
  readonly publish: Parameters<typeof createEnqueue>[0];
  readonly mongodbUri: string;
  readonly log: Log;
}

/** Events that are fanned out together. */
const CHUNK = 500;

/** Fans out events without publishing them: stores their rows and queues their messages. */
export async function seedBacklog(
  { workspaces, events }: Backlog & Target,
  { make, publish, mongodbUri, log }: SeedDeps,
): Promise<void> {
  const database = await connectMongo(mongodbUri, 'bench');
  const fanOut = createFanOut({
    store: createFanOutStore(database.collections),
    enqueue: createEnqueue(publish),
    handOver: () => new Map(),
    unstartedRows: { areMany: () => false, hasShare: () => false },
    starts: { areBehind: () => false, areBehindFor: () => false, count: () => 0 },
    mayHold: () => false,
    heldPerEndpoint: 0,
    observer: { opened: () => null, closed: () => {} },
    isDatabaseAway,
    busy: () => 0,
    clock: { now: () => new Date() },
    monotonicMs: () => performance.now(),
    wallMs: () => Date.now(),
    log,
  });
  const fanOutEvent = (workspace: number) => {
    const { type, payload } = make(workspace);
    const event = { type, payload, occurredAt: new Date(payload.occurredAt), traceId: newTraceId() };
    return new Promise<void>((done, reject) => {
      const incomplete = (damaged: string) => reject(new Error(`endpoint ${damaged} is damaged`));
      fanOut.add({
        event,
        bytes: 0,
        queued: () => {},
        done,
        incomplete,
        isWanted: () => true,
        isRepeated: false,
      });
    });
  };
  try {
    for (let from = 0; from < events; from += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, events - from) }, (_, index) =>
        fanOutEvent(workspaces[(from + index) % workspaces.length] ?? 0),
      );
      await Promise.all(chunk);
    }
  } finally {
    await database.close();
  }
}
