import kafkajs from 'kafkajs';
import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  // The constructor assigns the implementation of the method.
  methods: { heartbeat: [], constructor: ['lastRequest', 'cluster'] },
};

interface HeartbeatOptions {
  /** Milliseconds. */
  readonly interval: number;
}

/** The fields of the client's group membership that its heartbeat needs. */
interface ConsumerGroup {
  /** The wall-clock time of the last heartbeat, in milliseconds. */
  lastRequest: number;
  readonly cluster: { removeBroker(address: { readonly host: string; readonly port: number }): void };
  heartbeat(options: HeartbeatOptions): Promise<void>;
}

/** A heartbeat that fails after this long, in milliseconds, was not refused: the broker is frozen or cut off. */
const FROZEN_MS = 5_000;

/** The answer of a broker that does not coordinate the group. After it the client joins again and asks who does. */
function notCoordinator({ message }: Error): Error {
  const answer = new Error(`The coordinator of the group cannot be reached: ${message}`);
  const type = { type: 'NOT_COORDINATOR_FOR_GROUP', code: 16, retriable: true };
  return new kafkajs.KafkaJSProtocolError(Object.assign(answer, type));
}

/**
 * Keeps heartbeats going.
 * - When the wall clock is set back: the client sends a heartbeat once enough wall-clock time has passed since the last one.
 *   After a correction by ten minutes it would send none for ten minutes, and the group would remove the member.
 * - When the coordinator is lost: the client sends heartbeats to the broker that coordinated the group when it joined, as long
 *   as its consumer retries, which ours do for ever. So after a second heartbeat in a row that reached no broker it joins again.
 *   A connection that was only closed is open again by then. One time-out is enough: the session has nearly passed.
 *   Concurrent callers share a heartbeat, whose failure counts once.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchHeartbeat(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const { heartbeat } = prototype;
  const unreached = new WeakSet<ConsumerGroup>();
  const beats = new WeakMap<ConsumerGroup, Promise<void>>();
  async function beat(this: ConsumerGroup, options: HeartbeatOptions): Promise<void> {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    const beganAt = performance.now();
    try {
      await heartbeat.call(this, options);
    } catch (error) {
      if (!isUnreached(error)) throw error;
      const isFrozen = performance.now() - beganAt >= FROZEN_MS;
      if (isClosed(error)) this.cluster.removeBroker(error);
      if (!isFrozen && !unreached.has(this)) {
        unreached.add(this);
        throw error;
      }
      unreached.delete(this);
      throw notCoordinator(error);
    }
    unreached.delete(this);
  }
  prototype.heartbeat = function beatOnce(this: ConsumerGroup, options): Promise<void> {
    const current = beats.get(this) ?? beat.call(this, options).finally(() => beats.delete(this));
    beats.set(this, current);
    return current;
  };
}

/** Whether the connection was closed. The client removes the broker after such an error of any other request. */
function isClosed(error: Error): error is Error & { readonly host: string; readonly port: number } {
  return error.name === 'KafkaJSConnectionClosedError';
}

/** A request that times out ends its connection and fails like this. */
function isUnreached(error: unknown): error is Error {
  return error instanceof kafkajs.KafkaJSConnectionError;
}

patchHeartbeat(loadInternals(CONSUMER_GROUP));
