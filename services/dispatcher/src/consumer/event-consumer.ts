import {
  type BatchConsumer,
  type BatchConsumerParts,
  startBatchConsumer,
} from '@postrider/shared/kafka/batch-consumer';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { type SchemaCodec, Undecodable } from '@postrider/shared/kafka/schema-registry';
import type { Clock } from '@postrider/shared/ports/clock';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { parentSpanIdOf, traceIdOf } from '@postrider/shared/runtime/trace';
import type { createFanOut } from '../fan-out/fan-out.js';
import { type ReadEvent, readEvent } from '../fan-out/read-event.js';

export interface EventConsumerParts extends Omit<BatchConsumerParts, 'groupId' | 'topic' | 'handle'> {
  readonly codec: Pick<SchemaCodec, 'decode'>;
  readonly quarantine: Quarantine;
  readonly fanOut: ReturnType<typeof createFanOut>;
  readonly clock: Clock;
}

/** Reads domain events and fans them out. While the registry is unreachable the batch is retried. */
export function startEventConsumer(parts: EventConsumerParts): Promise<BatchConsumer> {
  const { codec, quarantine, clock } = parts;
  const decode = async (record: ReadRecord): Promise<ReadEvent | { problem: string }> => {
    try {
      const value = await codec.decode(record.value);
      const event = readEvent({ headers: record.headers, value, now: clock.now(), traceIdOf });
      const parentSpanId = parentSpanIdOf(record.headers.traceparent);
      return parentSpanId === null || 'problem' in event ? event : { ...event, parentSpanId };
    } catch (error) {
      if (error instanceof Undecodable) return { problem: error.message };
      throw error;
    }
  };
  return startBatchConsumer({
    ...parts,
    groupId: 'fan-out',
    topic: EVENTS_TOPIC,
    async handle(records, heartbeat) {
      const events: ReadEvent[] = [];
      for (const record of records) {
        const event = await decode(record);
        if ('problem' in event) await quarantine(record, event.problem);
        else events.push(event);
      }
      await parts.fanOut(events, heartbeat);
    },
  });
}
