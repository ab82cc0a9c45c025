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

/** Counts the positions that were reset. */
let resets = 0;
/** The count after the last reset of each partition of a group; infinite during a reset. */
const lastReset = new Map<string, number>();

/** The number of positions that were reset until now, in all groups. */
export function countResets(): number {
  return resets;
}

/**
 * Whether the position of a partition was lost since a time. What was fetched before is then from an older position.
 *
 * @param time the result of `countResets` at that time
 */
export function isLostSince(time: number, groupId: string, lost: LostPosition): boolean {
  return (lastReset.get(keyOf(groupId, lost)) ?? 0) > time;
}

function keyOf(groupId: string, { topic, partition }: LostPosition): string {
  return `${groupId}/${topic}/${partition}`;
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
    const key = keyOf(this.groupId, error);
    lastReset.set(key, Number.POSITIVE_INFINITY);
    try {
      await recover.call(this, error);
    } finally {
      resets += 1;
      lastReset.set(key, resets);
    }
  };
}

patchLostPositions(loadInternals(CONSUMER_GROUP));
