import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  methods: { fetch: ['maxWaitTime'], constructor: ['groupId'] },
};

/** The fields of the client's group membership that decide how long a fetch waits. */
interface ConsumerGroup {
  readonly groupId: string;
  maxWaitTime: number;
  fetch(broker: number): Promise<unknown>;
}

const waits = new Map<string, () => number>();

/**
 * Sets how long the fetches of a group's consumer wait for messages, in milliseconds: it is asked before each fetch. The
 * client itself takes one value for all of them, so with paused partitions a fetch of the others would wait as long as one of
 * an idle consumer, and the paused ones could not be resumed meanwhile.
 *
 * @param groupId with the prefix
 */
export function setFetchWait(groupId: string, waitMs: () => number): void {
  waits.set(groupId, waitMs);
}

/** @throws UnknownInternals if the class is not as expected */
export function patchFetchWait(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const { fetch } = prototype;
  prototype.fetch = function fetchWithWait(this: ConsumerGroup, broker): Promise<unknown> {
    this.maxWaitTime = waits.get(this.groupId)?.() ?? this.maxWaitTime;
    return fetch.call(this, broker);
  };
}

patchFetchWait(loadInternals(CONSUMER_GROUP));
