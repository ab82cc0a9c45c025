import { type ConsumerMonitor, createConsumerMonitor } from '@postrider/shared/kafka/consumer-monitor';
import { consumerSettings, fetchWaitMs } from '@postrider/shared/kafka/consumer-settings';
import { isOutdated, setFetchWait } from '@postrider/shared/kafka/fetch-wait';
import { onLostPosition } from '@postrider/shared/kafka/lost-positions';
import { startOffsetCommitter } from '@postrider/shared/kafka/offset-committer';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import type { TopicNames } from '@postrider/shared/kafka/topic-names';
import type { Log } from '@postrider/shared/ports/log';
import type { CrashBefore } from '@postrider/shared/runtime/failpoints';
import { createPacer } from '@postrider/shared/runtime/pacer';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { ConsumerConfig, Kafka } from 'kafkajs';
import type { OpenOffsets, TopicPartition } from '../offsets/open-offsets.js';
import { createAcceptBatch } from './accept-batch.js';
import { createFetchPlan, type TopicsInTurns } from './fetch-plan.js';
import { createMembership } from './membership.js';
import { createPauseControl } from './pause-control.js';

/** The dependencies of every consumer of the dispatcher. */
export interface ConsumerParts {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly sessionTimeoutMs: number;
  readonly crashBefore: CrashBefore;
  /** A limit for another kind of work that never waits: many messages of a backlog are read at the same time. */
  readonly turnLimit: () => TurnLimit;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** Where the messages go. Accepting never waits, so that heartbeats and fetches never do either. */
export interface Destination
  extends Pick<OpenOffsets, 'positions' | 'committed' | 'onMoved' | 'positionLost'> {
  accept(record: ReadRecord): void;
  /** Sets the assigned partition indices, which are the same for all topics. */
  assign(indices: readonly number[]): void;
  /** Returns the partitions not to fetch now. */
  updatePauses(): readonly TopicPartition[];
}

interface AcceptingConsumerParts extends ConsumerParts {
  /** Without prefix. */
  readonly groupId: string;
  /** Without prefix. All of them have the same partition indices. */
  readonly topics: readonly [string, ...string[]];
  readonly destination: Destination;
  readonly settings?: Partial<Pick<ConsumerConfig, 'partitionAssigners' | 'maxBytesPerPartition'>>;
  readonly inTurns?: TopicsInTurns;
  /** Called after each join, before its assignment, with the time since the member asked for it, in milliseconds. */
  readonly onJoin?: (tookMs: number) => void;
  /** Called after each heartbeat with the generation of the group. */
  readonly onHeartbeat?: (generation: number) => void;
  /** Called when partitions may go to other members: in a rebalance, and after a failure. */
  readonly onOwnershipUncertain?: () => void;
}

export interface AcceptingConsumer extends ConsumerMonitor {
  /** Stops reading; accepted messages can still be finished and committed. */
  close(): void;
  /** Commits and leaves the group. */
  leave(): Promise<void>;
}

/**
 * Minimum time between fetches in a busy process, in milliseconds: each requests every partition, even if there is little to
 * read, and its messages are read and stored by separate commands.
 */
const FETCH_MS = 15;
/**
 * How long a fetch waits, in milliseconds, while partitions of urgent topics are paused at a limit, since they are resumed
 * only between fetches, and while the consumer is being closed, since it leaves the group after a fetch.
 */
const SHORT_WAIT_MS = 20;
/**
 * The client starts this many workers for each fetch, however few partitions it has. Accepting never waits, so few are
 * enough. With one, a fetch from another broker that ends just as the worker does would find none.
 */
const PARTITIONS_AT_ONCE = 8;

/** Passes messages on as they are read, commits the positions of finished ones and pauses partitions beyond their limits. */
export async function startAcceptingConsumer(parts: AcceptingConsumerParts): Promise<AcceptingConsumer> {
  const { names, sessionTimeoutMs, topics, destination, crashBefore, log, fail } = parts;
  let owned: readonly number[] = [];
  const consumer = parts.kafka.consumer({
    groupId: names.full(parts.groupId),
    ...consumerSettings(sessionTimeoutMs),
    ...parts.settings,
  });
  const monitor = createConsumerMonitor(consumer, { sessionTimeoutMs, log, fail });
  const pauseControl = createPauseControl(consumer, names);
  const committer = startOffsetCommitter({
    consumer: { commitOffsets: crashBefore('offset.commit', consumer.commitOffsets) },
    names,
    moved: () => destination.positions().filter(({ partition }) => owned.includes(partition)),
    committed: destination.committed,
    log,
  });
  destination.onMoved(committer.schedule);
  const joined = createMembership(destination.assign);
  const partitionsOf = (some: readonly string[]) =>
    some.flatMap((topic) => owned.map((partition) => ({ topic, partition })));
  const { inTurns = { topics: [], restMs: 0 } } = parts;
  const plan = createFetchPlan({ inTurns, updatePauses: destination.updatePauses });
  const acceptBatch = createAcceptBatch({
    names,
    accept: destination.accept,
    turn: parts.turnLimit(),
    isOutdated,
  });
  let isClosed = false;
  const waitOf = (quietMs: number) => {
    const usual = fetchWaitMs(sessionTimeoutMs, quietMs);
    return isClosed || plan.isUrgent() ? Math.min(SHORT_WAIT_MS, usual) : usual;
  };
  setFetchWait(names.full(parts.groupId), waitOf, { pace: createPacer(FETCH_MS, 'early') });
  onLostPosition(names.full(parts.groupId), ({ topic, partition }) => {
    destination.positionLost({ topic: names.bare(topic), partition });
    return committer.ended();
  });

  consumer.on(consumer.events.HEARTBEAT, ({ payload }) => parts.onHeartbeat?.(payload.groupGenerationId));
  consumer.on(consumer.events.REBALANCING, () => {
    parts.onOwnershipUncertain?.();
    // The broker still accepts it: it precedes the request to join. The next owners read again what is not committed.
    void committer.commit();
  });
  consumer.on(consumer.events.CRASH, () => parts.onOwnershipUncertain?.());
  consumer.on(consumer.events.STOP, pauseControl.stopped);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    owned = payload.memberAssignment[names.full(topics[0])] ?? [];
    parts.onJoin?.(payload.duration);
    joined(payload.memberId, owned);
    pauseControl.joined(partitionsOf(topics));
    if (isClosed) pauseControl.apply(partitionsOf(topics));
    plan.assigned(partitionsOf(inTurns.topics));
  });
  // The fetch that begins now takes pauses into account. Without messages there is one for each heartbeat.
  consumer.on(consumer.events.FETCH_START, ({ payload }) => {
    if (!isClosed) pauseControl.apply(plan.pauses(payload.nodeId));
  });
  await consumer.connect();
  await consumer.subscribe({ topics: topics.map(names.full), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatchAutoResolve: false,
    eachBatch: (payload) => {
      plan.received(names.bare(payload.batch.topic));
      return acceptBatch(payload);
    },
  });

  return {
    ...monitor,
    close() {
      isClosed = true;
      committer.stop();
      pauseControl.apply(partitionsOf(topics));
    },
    async leave() {
      await committer.commit();
      await consumer.disconnect().catch((error) => {
        log.warn(
          { event: 'consumer.leave_failed', err: error },
          'the consumer could not leave its group: its partitions are assigned again after a session',
        );
      });
    },
  };
}
