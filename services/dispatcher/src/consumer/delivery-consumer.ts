import type { ConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import { fetchWaitMs } from '@postrider/shared/kafka/consumer-settings';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { DELIVERIES_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { sleep } from '@postrider/shared/runtime/sleep';
import type { Engine } from '../engine/engine.js';
import { type ConsumerParts, startAcceptingConsumer } from './accepting-consumer.js';
import { createStickyAssigner } from './assigner.js';
import { createFence } from './fence.js';
import type { Ownership } from './ownership.js';
import { createPersistentQuarantine } from './persistent-quarantine.js';

export interface DeliveryConsumer extends ConsumerMonitor {
  /** Stops reading, waits up to `settleMs` for attempts to settle, commits and leaves the group. */
  leave(settleMs: number): Promise<void>;
}

interface DeliveryConsumerParts extends ConsumerParts {
  readonly engine: Engine;
  readonly quarantine: Quarantine;
  readonly ownership: Ownership;
  /** The n-th retry waits n steps, in milliseconds. */
  readonly retryStepMs: number;
}

/** Maximum size of a fetch per partition, in bytes, so that it does not exceed the limits of open messages by much. */
const MAX_BYTES_PER_PARTITION = 64 * 1024;
/** How often the fence is checked once a session may have passed without a heartbeat. */
const FENCE_CHECK_MS = 250;
/** How long the retry topics rest, as a fraction of the shortest wait of a retry, and the limit of that in milliseconds. */
const REST_SHARE = 1 / 3;
const LONGEST_REST_MS = 10_000;

/**
 * How long the retry topics rest between fetches: a retry waits for at least a step, so it is read in time. One fetch for every
 * partition of every retry topic costs more than all other work of a dispatcher that has nothing to do.
 *
 * @param longestFetchMs how long a fetch waits for messages; if retry steps are short compared with it, the topics never rest
 */
export function retryRestMs(retryStepMs: number, longestFetchMs: number): number {
  const rest = Math.min(retryStepMs * REST_SHARE, LONGEST_REST_MS);
  return rest + longestFetchMs < retryStepMs / 2 ? rest : 0;
}

/** Connects the engine to Kafka. */
export async function startDeliveryConsumer(parts: DeliveryConsumerParts): Promise<DeliveryConsumer> {
  const { engine, ownership, sessionTimeoutMs, retryStepMs, log } = parts;
  const quarantine = createPersistentQuarantine({ ...parts, sleep, monotonicMs: () => performance.now() });
  let owned: readonly number[] = [];
  let generation = 0;
  let fence: ReturnType<typeof createFence> | null = null;
  const accept = (record: ReadRecord) => {
    const { topic, partition, offset } = record;
    const message = decodeQueueMessage(record.value, record.headers.traceparent);
    if (!('problem' in message)) {
      engine.accept({ topic, partition, offset, message, appendedAt: record.timestamp });
      return;
    }
    engine.skip({ topic, partition, offset }, () => quarantine.put(record, message.problem));
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
    inTurns: {
      topics: RETRY_TOPICS,
      restMs: retryRestMs(retryStepMs, fetchWaitMs(sessionTimeoutMs, Number.POSITIVE_INFINITY)),
    },
    onJoin: ownership.joined,
    onHeartbeat(current) {
      generation = current;
      ownership.heartbeat();
      fence?.check();
    },
    onOwnershipUncertain: ownership.ends,
  });
  fence = createFence({ isCutOff: ownership.isCutOff, engine, log });
  let timer: NodeJS.Timeout | null = null;
  const watch = () => {
    fence?.check();
    // A heartbeat in between only makes the next check superfluous.
    timer = setTimeout(watch, Math.min(Math.max(FENCE_CHECK_MS, ownership.cutOffInMs()), sessionTimeoutMs));
  };
  watch();

  return {
    ...consumer,
    async leave(settleMs) {
      if (timer !== null) clearTimeout(timer);
      consumer.close();
      quarantine.stop();
      await engine.quiesce(settleMs);
      ownership.ends();
      await engine.extendDueTimes();
      await consumer.leave();
    },
  };
}
