import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';
import { countResets, isLostSince } from './lost-positions.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  methods: { fetch: ['maxWaitTime', 'offsetManager'], constructor: ['groupId'] },
};

const BATCH: ClientInternals = {
  module: 'kafkajs/src/consumer/batch.js',
  methods: { isEmptyDueToFiltering: ['isEmpty', 'rawMessages'] },
};

/** The fields of the client's group membership that decide how long a fetch waits, and where it begins. */
interface ConsumerGroup {
  readonly groupId: string;
  /** The offsets to fetch from. Each join of the group replaces it. */
  readonly offsetManager: unknown;
  maxWaitTime: number;
  fetch(broker: number): Promise<readonly FetchedBatch[]>;
}

/** A weak map would keep its entries until the next full garbage collection, long after their batches were handled. */
const FETCHED = Symbol('the membership for which a batch was fetched');

interface FetchedBatch {
  [FETCHED]?: Fetched;
  readonly topic: string;
  readonly partition: number;
  /** Includes control records and the records of aborted transactions. */
  readonly rawMessages: readonly unknown[];
  readonly messages: readonly unknown[];
}

/** The group that fetched a batch, and its offsets when the fetch began. */
interface Fetched {
  readonly group: ConsumerGroup;
  readonly offsetManager: unknown;
  /** The number of positions that had been reset when the fetch began. */
  readonly resets: number;
}

/** How long a fetch waits for messages, if the last one was read `quietMs` ago. Both in milliseconds. */
export type FetchWait = (quietMs: number) => number;

interface FetchOptions {
  /** Resolves when the next fetch may begin. It is called after a fetch that brought messages, before the next one. */
  readonly pace?: () => Promise<unknown>;
  readonly monotonicMs?: () => number;
}

interface Group extends Required<FetchOptions> {
  readonly wait: FetchWait;
  /** When the last message was read, or the wait was set; monotonic. */
  lastMessageAt: number;
  /** The brokers whose last fetch brought messages. */
  readonly broughtMessages: Set<number>;
}

const groups = new Map<string, Group>();

type FetchedFrom = Pick<FetchedBatch, typeof FETCHED | 'topic' | 'partition'>;

/**
 * Returns whether the group was joined again since a batch was fetched, or the position of its partition was lost. The partition
 * is then read from its committed offset again, or from its beginning. If the batch were resolved, the client would skip the
 * records between that offset and the batch.
 */
export function isOutdated(batch: FetchedFrom): boolean {
  const fetched = batch[FETCHED];
  return fetched !== undefined && isOutdatedSince(fetched, batch);
}

function isOutdatedSince({ group, offsetManager, resets }: Fetched, from: FetchedFrom): boolean {
  return group.offsetManager !== offsetManager || isLostSince(resets, group.groupId, from);
}

/**
 * Sets how long the fetches of a group's consumer wait: `wait` is called before each fetch. The client itself has one value
 * for all of them, so with paused partitions a fetch of the others would wait as long as an idle consumer's, and the
 * paused ones could not be resumed meanwhile.
 *
 * @param groupId with the prefix
 */
export function setFetchWait(
  groupId: string,
  wait: FetchWait,
  { pace = async () => {}, monotonicMs = () => performance.now() }: FetchOptions = {},
): void {
  groups.set(groupId, { wait, pace, monotonicMs, lastMessageAt: monotonicMs(), broughtMessages: new Set() });
}

/**
 * Also drops two kinds of batches from the fetches of these groups. Batches without messages: a response has one for each
 * requested partition, and the client would handle each of them like a batch with messages. And outdated ones: if a broker
 * is no longer the leader of a partition, the client joins the group within that broker's fetch, while fetches from other
 * brokers are waiting. It resets a lost position within a fetch as well.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchFetchWait(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const { fetch } = prototype;
  prototype.fetch = async function fetchWithWait(this: ConsumerGroup, broker) {
    const group = groups.get(this.groupId);
    if (group === undefined) return fetch.call(this, broker);
    if (group.broughtMessages.delete(broker)) await group.pace();
    this.maxWaitTime = group.wait(group.monotonicMs() - group.lastMessageAt);
    const begun = { group: this, offsetManager: this.offsetManager, resets: countResets() };
    const fetched = await fetch.call(this, broker);
    const batches = fetched.filter((one) => one.rawMessages.length > 0 && !isOutdatedSince(begun, one));
    if (batches.some(({ messages }) => messages.length > 0)) {
      group.lastMessageAt = group.monotonicMs();
      group.broughtMessages.add(broker);
    }
    for (const batch of batches) batch[FETCHED] = begun;
    return batches;
  };
}

interface BatchPrototype extends FetchedBatch {
  /** The client resolves the last offset of such a batch itself. */
  isEmptyDueToFiltering(): boolean;
}

/**
 * Lets the client drop outdated batches of which all records are control records or belong to aborted transactions. It passes
 * on no batch without messages, so nothing else can.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchBatch(batch: unknown): void {
  const prototype = prototypeOf<BatchPrototype>(BATCH, batch);
  const { isEmptyDueToFiltering } = prototype;
  prototype.isEmptyDueToFiltering = function isToResolve(this: BatchPrototype) {
    return isEmptyDueToFiltering.call(this) && !isOutdated(this);
  };
}

patchFetchWait(loadInternals(CONSUMER_GROUP));
patchBatch(loadInternals(BATCH));
