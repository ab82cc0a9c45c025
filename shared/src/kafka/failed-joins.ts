import kafkajs from 'kafkajs';
import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  methods: { joinAndSync: ['retrier'] },
};
const RUNNER: ClientInternals = {
  module: 'kafkajs/src/consumer/runner.js',
  methods: { heartbeat: ['consumerGroup'], start: ['running'], stop: ['running'] },
};

interface ConsumerGroup {
  joinAndSync(): Promise<void>;
}

/** The part of the client that fetches, handles batches and sends heartbeats in turns. */
interface Runner {
  readonly consumerGroup: ConsumerGroup;
  /** From the first join until it is stopped. */
  readonly running: boolean;
  heartbeat(): Promise<void>;
}

/** The answer of a coordinator while members join. After it the client joins, under its member id if it still has one. */
function notJoined(): Error {
  const answer = new Error('The last attempt to join the group failed');
  const type = { type: 'REBALANCE_IN_PROGRESS', code: 27, retriable: false };
  return new kafkajs.KafkaJSProtocolError(Object.assign(answer, type));
}

/**
 * Lets a consumer join its group again after a join that failed. The client itself continues to fetch from its partitions of
 * before. If the group had removed it, it has no member id any more, so it sends no heartbeat, and nothing makes it join: it
 * would handle the same records as the next owners of the partitions, and could not commit.
 *
 * @throws UnknownInternals if a class is not as expected
 */
export function patchJoins(consumerGroup: unknown, runner: unknown): void {
  const group = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const { joinAndSync } = group;
  const outside = new WeakSet<ConsumerGroup>();
  group.joinAndSync = async function join(this: ConsumerGroup): Promise<void> {
    try {
      await joinAndSync.call(this);
    } catch (error) {
      outside.add(this);
      throw error;
    }
    outside.delete(this);
  };
  const prototype = prototypeOf<Runner>(RUNNER, runner);
  const { heartbeat } = prototype;
  prototype.heartbeat = async function beat(this: Runner): Promise<void> {
    if (this.running && outside.has(this.consumerGroup)) throw notJoined();
    await heartbeat.call(this);
  };
}

patchJoins(loadInternals(CONSUMER_GROUP), loadInternals(RUNNER));
