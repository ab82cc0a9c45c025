import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  // The constructor assigns the implementation of the method.
  methods: { heartbeat: [], constructor: ['lastRequest'] },
};

/** The fields of the client's group membership that its heartbeat needs. */
interface ConsumerGroup {
  /** When the last heartbeat was sent, by the wall clock, in milliseconds. */
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
}

/**
 * Keeps heartbeats going when the wall clock is set back. The client sends a heartbeat when enough wall-clock time has
 * passed since the last one: after a correction by ten minutes it would send none for ten minutes, and the group would
 * remove the member.
 *
 * @throws UnknownInternals if the class is not as expected
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
