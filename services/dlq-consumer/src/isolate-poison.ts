import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { isolate } from '@postrider/shared/runtime/isolate';
import type { Bury } from './bury.js';

/** What became of a dead letter; poisoned: the database refused it although it took another. */
export const FATES = ['buried', 'left', 'poisoned'] as const;
export type Fate = (typeof FATES)[number];

/** Buries a group. @returns what became of each, in the order given. @throws Error when none could be buried */
export type BuryGroup = (
  messages: readonly QueueMessage[],
  heartbeat: () => Promise<void>,
) => Promise<readonly Fate[]>;

export interface IsolatePoisonParts {
  readonly bury: Bury;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/**
 * A group that is refused is buried one by one, so that a single bad row holds up no other. Nothing is lost by giving
 * one up: a row that has not ended is due again, and comes back.
 */
export function isolatePoison({ bury, isDatabaseAway, log }: IsolatePoisonParts): BuryGroup {
  return async (messages, heartbeat) => {
    try {
      return await bury(messages);
    } catch (error) {
      if (messages.length < 2 || isDatabaseAway(error)) throw error;
      const facts = { event: 'burial.failed', size: messages.length, err: error };
      log.warn(facts, 'a group could not be buried; trying one by one');
    }
    const buryOne = async (message: QueueMessage): Promise<Fate> => {
      const [fate = 'left'] = await bury([message]).finally(heartbeat);
      return fate;
    };
    const { done, poisoned, failure } = await isolate(messages, buryOne, isDatabaseAway);
    if (failure !== null) throw failure.error;
    for (const [{ deliveryId, endpointId, traceId }, err] of poisoned) {
      const facts = { event: 'burial.poisoned', deliveryId, endpointId, traceId, err };
      log.error(facts, 'a delivery cannot be ended');
    }
    return messages.map((message) => done.get(message) ?? 'poisoned');
  };
}
