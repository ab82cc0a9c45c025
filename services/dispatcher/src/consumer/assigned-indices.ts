import type { Consumer } from 'kafkajs';
import type { Holding } from './assigner.js';

export interface AssignedIndices extends Holding {
  /** From now on remembers what this consumer is assigned. */
  readonly follow: (consumer: Pick<Consumer, 'on' | 'events'>) => void;
}

/**
 * Remembers what a consumer was assigned last. The assigner is needed to make the consumer, so `follow` comes later.
 *
 * Nothing is forgotten when the group throws the consumer out: it joins again with the old generation, and whoever
 * holds an index by then has a newer one.
 */
export function assignedIndices(): AssignedIndices {
  let owned: readonly number[] = [];
  let generation = 0;
  return {
    owned: () => owned,
    generation: () => generation,
    follow: (consumer) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        owned = [...new Set(Object.values(payload.memberAssignment).flat())];
      });
      consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
        generation = payload.groupGenerationId;
      });
    },
  };
}
