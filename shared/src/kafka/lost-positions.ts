import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';
import { waitAtMost } from '../runtime/with-timeout.js';

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

/** The position is reset once the returned promise resolves, or after `LISTENER_MS`. */
type LostPositionListener = (lost: LostPosition) => Promise<void>;

/**
 * Time limit of a listener, in milliseconds. It waits for a commit that the client may repeat until the next heartbeat makes it
 * join its group again, and the heartbeat follows the fetch that waits for the listener.
 */
const LISTENER_MS = 5_000;

const listeners = new Map<string, LostPositionListener>();

/**
 * Sets the listener that is called before the client reads a partition from its beginning, because the broker does not have the
 * offset that it requested: the topic was recreated, or its oldest records were removed. The client only logs it, and resets the
 * committed offset as well. A commit of the group that is in progress then has to end first, because it could arrive later.
 *
 * @param groupId with the prefix
 */
export function onLostPosition(groupId: string, listener: LostPositionListener): void {
  listeners.set(groupId, listener);
}

/** @throws UnknownInternals if the class is not as expected */
export function patchLostPositions(consumerGroup: unknown): void {
  const prototype = prototypeOf<ConsumerGroup>(CONSUMER_GROUP, consumerGroup);
  const recover = prototype.recoverFromOffsetOutOfRange;
  prototype.recoverFromOffsetOutOfRange = async function recoverAndReport(this: ConsumerGroup, error) {
    const key = keyOf(this.groupId, error);
    lastReset.set(key, Number.POSITIVE_INFINITY);
    try {
      const heard = listeners.get(this.groupId)?.({ topic: error.topic, partition: error.partition });
      if (heard !== undefined) await waitAtMost(heard, LISTENER_MS);
      await recover.call(this, error);
    } finally {
      resets += 1;
      lastReset.set(key, resets);
    }
  };
}

patchLostPositions(loadInternals(CONSUMER_GROUP));
