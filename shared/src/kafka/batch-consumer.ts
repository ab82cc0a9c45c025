import kafkajs, { type EachBatchPayload, type Kafka } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { coalesce } from '../runtime/coalesce.js';
import type { CrashBefore } from '../runtime/failpoints.js';
import { createPacer } from '../runtime/pacer.js';
import { retry } from '../runtime/retry.js';
import { type ConsumerMonitor, createConsumerMonitor } from './consumer-monitor.js';
import { consumerSettings, fetchWaitMs } from './consumer-settings.js';
import { isOutdated, setFetchWait } from './fetch-wait.js';
import { createHandledOffsets } from './handled-offsets.js';
import { onLostPosition } from './lost-positions.js';
import { startOffsetCommitter } from './offset-committer.js';
import { type ReadRecord, readRecords } from './read-record.js';
import type { TopicNames } from './topic-names.js';

export interface BatchConsumer extends ConsumerMonitor {
  stop(): Promise<void>;
}

export interface BatchConsumerParts {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly sessionTimeoutMs: number;
  /** Without prefix. */
  readonly groupId: string;
  readonly topic: string;
  /**
   * Handles records of one or more partitions; their offsets are committed after it resolves. If it rejects, it is called
   * again with the same records after a pause. No record is skipped, so bad records must be quarantined, not thrown.
   */
  readonly handle: (records: readonly ReadRecord[], heartbeat: () => Promise<void>) => Promise<void>;
  readonly crashBefore: CrashBefore;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** Up to this many partitions of a fetch are handled together, with one round trip to the database and one to the broker. */
const PARTITIONS_AT_ONCE = 64;
/** Distance between rounds in a busy process, in milliseconds, so that each handles more records. */
const ROUND_MS = 8;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** Errors that a member receives during a rebalance. */
const REBALANCE_ERRORS = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION'];

/** Consumes one topic fetch by fetch, with at-least-once semantics. */
export async function startBatchConsumer(parts: BatchConsumerParts): Promise<BatchConsumer> {
  const { kafka, names, sessionTimeoutMs, groupId, topic, handle, crashBefore, log, fail } = parts;
  const consumer = kafka.consumer({ groupId: names.full(groupId), ...consumerSettings(sessionTimeoutMs) });
  setFetchWait(names.full(groupId), (quietMs) => fetchWaitMs(sessionTimeoutMs, quietMs));
  const monitor = createConsumerMonitor(consumer, { sessionTimeoutMs, log, fail });
  const offsets = createHandledOffsets(topic);
  const commitOffsets = crashBefore('offset.commit', consumer.commitOffsets);
  const committer = startOffsetCommitter({ consumer: { commitOffsets }, names, ...offsets, log });
  const pace = createPacer(ROUND_MS);
  let stopping = false;
  let round: Promise<unknown> = Promise.resolve();

  /** @returns false if the records are left to the next consumer */
  const handleAll = coalesce(async (batches: readonly EachBatchPayload[]): Promise<boolean> => {
    const [first] = batches;
    if (first === undefined) return true;
    // Both belong to the consumer, not to the batch.
    const { heartbeat, isRunning } = first;
    const records = batches.flatMap(({ batch }) => readRecords(batch, names));
    await pace();
    const handleUnlessStopping = async () => {
      if (stopping || !isRunning()) return false;
      await handle(records, heartbeat);
      return true;
    };
    return retry(handleUnlessStopping, {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      async onFailure(err) {
        if (isRebalance(err)) throw err;
        log.warn({ event: 'batch.failed', topic, size: records.length, err }, 'a batch failed; trying again');
        await heartbeat();
      },
    });
  });

  consumer.on(consumer.events.GROUP_JOIN, offsets.discard);
  onLostPosition(names.full(groupId), ({ partition }) => {
    offsets.positionLost(partition);
    return committer.ended();
  });
  await consumer.connect();
  await consumer.subscribe({ topic: names.full(topic), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatch: async (payload) => {
      const record = offsets.recorder();
      const { batch, resolveOffset } = payload;
      const handled = handleAll(payload);
      round = handled;
      // The records of an outdated batch are read again, and its offsets may be those of others.
      if (!(await handled) || isOutdated(batch)) return;
      resolveOffset(batch.lastOffset());
      record(batch.partition, Number(batch.lastOffset()) + 1);
      committer.schedule();
    },
  });
  return {
    ...monitor,
    async stop() {
      stopping = true;
      committer.stop();
      await round.catch(() => {});
      await committer.commit();
      await consumer.disconnect();
    },
  };
}

/** A rebalance is not a failure: the next owner of the partitions reads the same records again. */
function isRebalance(error: unknown): boolean {
  return error instanceof kafkajs.KafkaJSProtocolError && REBALANCE_ERRORS.includes(error.type);
}
