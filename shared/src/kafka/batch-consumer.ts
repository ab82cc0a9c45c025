import kafkajs, { type EachBatchPayload, type Kafka } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { coalesce } from '../runtime/coalesce.js';
import type { CrashBefore } from '../runtime/failpoints.js';
import { createPacer } from '../runtime/pacer.js';
import { retry } from '../runtime/retry.js';
import { type ConsumerMonitor, createConsumerMonitor } from './consumer-monitor.js';
import { consumerSettings } from './consumer-settings.js';
import { createHandledOffsets } from './handled-offsets.js';
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
   * Handles records of one or several partitions completely; their offsets are committed some time after it resolves.
   * When it rejects, the same records are handed over again after a pause: nothing is skipped, so bad records must be
   * put aside, not thrown.
   */
  readonly handle: (records: readonly ReadRecord[], heartbeat: () => Promise<void>) => Promise<void>;
  readonly crashBefore: CrashBefore;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** All partitions of a fetch are handled together: a round trip to the database and one to the broker serve all. */
const PARTITIONS_AT_ONCE = 64;
/** Rounds begin at least this far apart: more of them would do the same for more. */
const ROUND_MS = 8;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** Errors that a member is told when the group's partitions are shared out again. */
const GROUP_MOVES = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION'];

/** Reads one topic fetch by fetch, at least once. */
export async function startBatchConsumer(parts: BatchConsumerParts): Promise<BatchConsumer> {
  const { kafka, names, sessionTimeoutMs, groupId, topic, handle, crashBefore, log, fail } = parts;
  const consumer = kafka.consumer({ groupId: names.full(groupId), ...consumerSettings(sessionTimeoutMs) });
  const monitor = createConsumerMonitor(consumer, { sessionTimeoutMs, log, fail });
  const offsets = createHandledOffsets(topic);
  const commitOffsets = crashBefore('offset.commit', consumer.commitOffsets);
  const committer = startOffsetCommitter({ consumer: { commitOffsets }, names, ...offsets, log });
  const pace = createPacer(ROUND_MS);
  let stopping = false;
  let round: Promise<unknown> = Promise.resolve();

  /** @returns false when they were left to the next consumer */
  const handleAll = coalesce(async (batches: readonly EachBatchPayload[]): Promise<boolean> => {
    const [first] = batches;
    if (first === undefined) return true;
    // Both are the consumer's, whichever batch they come with.
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

  consumer.on(consumer.events.GROUP_JOIN, offsets.forget);
  await consumer.connect();
  await consumer.subscribe({ topic: names.full(topic), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatch: async (payload) => {
      const note = offsets.notes();
      const { batch, resolveOffset } = payload;
      const handled = handleAll(payload);
      round = handled;
      if (!(await handled)) return;
      resolveOffset(batch.lastOffset());
      note(batch.partition, Number(batch.lastOffset()) + 1);
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

/** Told by a heartbeat. No failure: whoever has the partitions afterwards reads the same records again. */
function isRebalance(error: unknown): boolean {
  return error instanceof kafkajs.KafkaJSProtocolError && GROUP_MOVES.includes(error.type);
}
