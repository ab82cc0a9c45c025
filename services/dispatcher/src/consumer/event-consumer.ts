import type { ConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { SchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { Undecodable } from '@postrider/shared/kafka/undecodable';
import type { Clock } from '@postrider/shared/ports/clock';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { parentSpanIdOf, traceIdOf } from '@postrider/shared/runtime/trace';
import { createEventIntake, type EventIntake, type EventIntakeLimits } from '../fan-out/event-intake.js';
import type { FanOut } from '../fan-out/fan-out.js';
import { type ReadEvent, readEvent } from '../fan-out/read-event.js';
import { type ConsumerParts, startAcceptingConsumer } from './accepting-consumer.js';

export interface EventConsumer extends ConsumerMonitor, Pick<EventIntake<ReadRecord>, 'figures'> {
  /** Stops reading, waits up to `withinMs` for the chunk in progress, commits and leaves the group. */
  leave(withinMs: number): Promise<void>;
}

export interface EventConsumerParts extends ConsumerParts {
  readonly codec: Pick<SchemaCodec, 'decode'>;
  readonly quarantine: Quarantine;
  readonly fanOut: FanOut;
  readonly limits: EventIntakeLimits;
  readonly clock: Clock;
}

/** Bounds a fetch, so that it does not exceed the limits of open events by much. */
const MAX_BYTES_PER_PARTITION = 256 * 1024;

/** Connects the fan-out to Kafka. While the registry is unreachable, events whose schema is not known yet wait. */
export async function startEventConsumer(parts: EventConsumerParts): Promise<EventConsumer> {
  const { codec, clock, fanOut } = parts;
  const read = async (record: ReadRecord): Promise<ReadEvent | { problem: string }> => {
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
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const intake = createEventIntake({ ...parts, read, pause });
  const consumer = await startAcceptingConsumer({
    ...parts,
    groupId: 'fan-out',
    topics: [EVENTS_TOPIC],
    destination: intake,
    settings: { maxBytesPerPartition: MAX_BYTES_PER_PARTITION },
  });
  return {
    ...consumer,
    figures: intake.figures,
    async leave(withinMs) {
      consumer.close();
      intake.stop();
      await fanOut.quiesce(withinMs);
      await consumer.leave();
    },
  };
}
