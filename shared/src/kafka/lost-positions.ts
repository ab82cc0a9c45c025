import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONSUMER_GROUP: ClientInternals = {
  module: 'kafkajs/src/consumer/consumerGroup.js',
  methods: { recoverFromOffsetOutOfRange: ['offsetManager'], constructor: ['groupId'] },
};

interface LostPosition {
  /** With the prefix. */
  readonly topic: string;
  readonly partition: number;
}

interface ConsumerGroup {
  readonly groupId: string;
  recoverFromOffsetOutOfRange(error: LostPosition): Promise<void>;
}

const listeners = new Map<string, (lost: LostPosition) => void>();

/**
 * Sets the listener that is called before the client reads a partition from its beginning, because the broker does not have the
 * offset that it requested: the topic was recreated, or its oldest records were removed. The client only logs it.
 *
 * @param groupId with the prefix
 */
export function onLostPosition(groupId: string, listener: (lost: LostPosition) => void): void {
  listeners.set(groupId, listener);
}

/** @throws UnknownInternals if the class is not as expected */
export function patchLostPositions(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const recover = prototype.recoverFromOffsetOutOfRange;
  prototype.recoverFromOffsetOutOfRange = async function recoverAndReport(this: ConsumerGroup, error) {
    // Before the client resets its position, so that no other is committed from then on.
    listeners.get(this.groupId)?.({ topic: error.topic, partition: error.partition });
    return recover.call(this, error);
  };
}

patchLostPositions(loadInternals(CONSUMER_GROUP));
