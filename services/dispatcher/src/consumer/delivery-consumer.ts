import { type ConsumerMonitor, createConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import { consumerSettings } from '@postrider/shared/kafka/consumer-settings';
import { startOffsetCommitter } from '@postrider/shared/kafka/offset-committer';
import type { Quarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import { type ReadRecord, readRecords } from '@postrider/shared/kafka/read-record';
import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import type { Log } from '@postrider/shared/ports/log';
import { DELIVERIES_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import type { CrashBefore } from '@postrider/shared/runtime/failpoints';
import { createPacer } from '@postrider/shared/runtime/pacer';
import type { Consumer, Kafka } from 'kafkajs';
import type { Engine } from '../engine/engine.js';
import type { TopicPartition } from '../engine/intake.js';
import { createStickyAssigner } from './assigner.js';
import { createFence } from './fence.js';

export interface DeliveryConsumer extends ConsumerMonitor {
  /** Stops reading, waits up to `settleMs` for attempts to settle, commits and leaves the group. */
  leave(settleMs: number): Promise<void>;
}

export interface DeliveryConsumerParts {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly sessionTimeoutMs: number;
  readonly engine: Engine;
  readonly quarantine: Quarantine;
  readonly crashBefore: CrashBefore;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

const TOPICS = [DELIVERIES_TOPIC, ...RETRY_TOPICS];
/** Bounds a fetch, so that it does not exceed the limits of open messages by much. */
const MAX_BYTES_PER_PARTITION = 64 * 1024;
const CHECK_MS = 250;
/** Minimum time between fetches: each requests every partition, even if there is little to read. */
const FETCH_MS = 5;
/** The partitions of a fetch are accepted together; accepting never waits. */
const PARTITIONS_AT_ONCE = 64;

/** Connects the engine to Kafka: passes messages on, commits positions and pauses partitions beyond their limits. */
export async function startDeliveryConsumer(parts: DeliveryConsumerParts): Promise<DeliveryConsumer> {
  const { kafka, names, sessionTimeoutMs, engine, quarantine, crashBefore, log, fail } = parts;
  let owned: readonly number[] = [];
  let generation = 0;
  const consumer = kafka.consumer({
    groupId: names.full('dispatcher'),
    partitionAssigners: [createStickyAssigner({ owned: () => owned, generation: () => generation })],
    ...consumerSettings(sessionTimeoutMs),
    maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
  });
  const monitor = createConsumerMonitor(consumer, { sessionTimeoutMs, log, fail });
  const pauseControl = createPauseControl(consumer, names);
  const committer = startOffsetCommitter({
    consumer: { commitOffsets: crashBefore('offset.commit', consumer.commitOffsets) },
    names,
    moved: () => engine.positions().filter(({ partition }) => owned.includes(partition)),
    committed: engine.committed,
    log,
  });
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
  const pace = createPacer(FETCH_MS);
  // Runs once for all partitions of a fetch; the next fetch begins after it.
  const beforeNextFetch = coalesce(async () => {
    pauseControl.apply(engine.paused());
    await pace();
  });

  consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
    generation = payload.groupGenerationId;
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    owned = payload.memberAssignment[names.full(DELIVERIES_TOPIC)] ?? [];
    engine.assign(owned);
    pauseControl.joined(owned);
  });
  await consumer.connect();
  await consumer.subscribe({ topics: TOPICS.map(names.full), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatch: async ({ batch }) => {
      for (const record of readRecords(batch, names)) accept(record);
      await beforeNextFetch(null);
    },
  });
  const fence = createFence({ isCutOff: monitor.isCutOff, engine, log });
  const timer = setInterval(() => {
    fence.check();
    pauseControl.apply(engine.paused());
  }, CHECK_MS);

  return {
    ...monitor,
    async leave(settleMs) {
      clearInterval(timer);
      committer.stop();
      pauseControl.apply(TOPICS.flatMap((topic) => owned.map((partition) => ({ topic, partition }))));
      await engine.quiesce(settleMs);
      await committer.commit();
      await consumer.disconnect();
    },
  };
}

/** Applies the engine's pauses to the consumer. Pauses survive a rebalance but not a restart of the consumer. */
function createPauseControl({ pause, resume }: Pick<Consumer, 'pause' | 'resume'>, names: TopicNames) {
  let paused = new Map<string, TopicPartition>();
  const keyOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;
  const full = ({ topic, partition }: TopicPartition) => ({
    topic: names.full(topic),
    partitions: [partition],
  });
  return {
    apply(wanted: readonly TopicPartition[]) {
      const next = new Map(wanted.map((one) => [keyOf(one), one]));
      const add = wanted.filter((one) => !paused.has(keyOf(one)));
      const remove = [...paused.values()].filter((one) => !next.has(keyOf(one)));
      if (add.length > 0) pause(add.map(full));
      if (remove.length > 0) resume(remove.map(full));
      paused = next;
    },
    /** Resumes all assigned partitions after a (re)join. */
    joined(owned: readonly number[]) {
      resume(TOPICS.flatMap((topic) => owned.map((partition) => full({ topic, partition }))));
      paused = new Map();
    },
  };
}
