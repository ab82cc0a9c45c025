import { type ClientInternals, loadInternals, prototypeOf } from './client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  // What the method does is made in the constructor.
  methods: { heartbeat: [], constructor: ['lastRequest'] },
};

/** The fields of the client's group membership that its heartbeat needs. */
interface ConsumerGroup {
  /** When the last heartbeat was sent, by the wall clock, in milliseconds. */
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
}

/**
 * Keeps heartbeats going when the clock is set back. The client sends one when enough time has passed since the last
 * one, by the wall clock: corrected by ten minutes, it would say nothing for ten minutes, and the group would go on
 * without it.
 *
 * @throws UnknownInsides when the class does not look as expected
 */
export function patchHeartbeat(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const { heartbeat } = prototype;
  prototype.heartbeat = function beat(this: ConsumerGroup, options): Promise<void> {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return heartbeat.call(this, options);
  };
}

patchHeartbeat(loadInternals(CONSUMER_GROUP));
