import type { ConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { DELIVERIES_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import type { Engine } from '../engine/engine.js';
import { type ConsumerParts, startAcceptingConsumer } from './accepting-consumer.js';
import { createStickyAssigner } from './assigner.js';
import { createFence } from './fence.js';

export interface DeliveryConsumer extends ConsumerMonitor {
  /** Stops reading, waits up to `settleMs` for attempts to settle, commits and leaves the group. */
  leave(settleMs: number): Promise<void>;
}

export interface DeliveryConsumerParts extends ConsumerParts {
  readonly engine: Engine;
  readonly quarantine: Quarantine;
}

/** Bounds a fetch, so that it does not exceed the limits of open messages by much. */
const MAX_BYTES_PER_PARTITION = 64 * 1024;
const FENCE_CHECK_MS = 250;

/** Connects the engine to Kafka. */
export async function startDeliveryConsumer(parts: DeliveryConsumerParts): Promise<DeliveryConsumer> {
  const { engine, quarantine, log, fail } = parts;
  let owned: readonly number[] = [];
  let generation = 0;
  const accept = (record: ReadRecord) => {
    const { topic, partition, offset } = record;
    const message = decodeQueueMessage(record.value, record.headers.traceparent);
    if (!('problem' in message)) {
      engine.accept({ topic, partition, offset, message, appendedAt: record.timestamp });
      return;
    }
    const quarantined = quarantine(record, message.problem);
    engine.skip({ topic, partition, offset }, quarantined);
    quarantined.catch((error: unknown) =>
      fail('a message could be neither read nor put into quarantine', error),
    );
  };
  const consumer = await startAcceptingConsumer({
    ...parts,
    groupId: 'dispatcher',
    topics: [DELIVERIES_TOPIC, ...RETRY_TOPICS],
    destination: {
      ...engine,
      accept,
      assign(indices) {
        owned = indices;
        engine.assign(indices);
      },
    },
    settings: {
      partitionAssigners: [createStickyAssigner({ owned: () => owned, generation: () => generation })],
      maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
    },
    onHeartbeat(current) {
      generation = current;
    },
  });
  const fence = createFence({ isCutOff: consumer.isCutOff, engine, log });
  const timer = setInterval(fence.check, FENCE_CHECK_MS);

  return {
    ...consumer,
    async leave(settleMs) {
      clearInterval(timer);
      consumer.close();
      await engine.quiesce(settleMs);
      await consumer.leave();
    },
  };
}
