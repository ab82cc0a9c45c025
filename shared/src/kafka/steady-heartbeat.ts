import { createRequire } from 'node:module';

const MODULE = 'kafkajs/src/consumer/consumerGroup.js';

/** The fields of the client's group membership that its heartbeat needs. */
interface ConsumerGroup {
  /** When the last heartbeat was sent, by the wall clock, in milliseconds. */
  lastRequest: number;
  heartbeat(options: { readonly interval: number }): Promise<void>;
}

/** The client's insides are no longer what this module was written for. */
export class UnknownConsumerGroup extends Error {
  override readonly name = 'UnknownConsumerGroup';

  constructor(missing: string) {
    super(
      `${MODULE}: ${missing} not found. Check whether its heartbeats still stop when the clock is set back`,
    );
  }
}

/**
 * Keeps heartbeats going when the clock is set back. The client sends one when enough time has passed since the last
 * one, by the wall clock: corrected by ten minutes, it would say nothing for ten minutes, and the group would go on
 * without it.
 *
 * @throws UnknownConsumerGroup when the class does not look as expected
 */
export function steadyHeartbeat(consumerGroup: unknown): void {
  const prototype = prototypeOf(consumerGroup);
  const { heartbeat } = prototype;
  prototype.heartbeat = function beat(this: ConsumerGroup, options): Promise<void> {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return heartbeat.call(this, options);
  };
}

function prototypeOf(consumerGroup: unknown): ConsumerGroup {
  if (typeof consumerGroup !== 'function') throw new UnknownConsumerGroup('the class');
  const { prototype } = consumerGroup;
  if (typeof prototype?.heartbeat !== 'function') throw new UnknownConsumerGroup('heartbeat()');
  if (!String(consumerGroup).includes('this.lastRequest')) throw new UnknownConsumerGroup('this.lastRequest');
  return prototype;
}

steadyHeartbeat(createRequire(import.meta.url)(MODULE));
