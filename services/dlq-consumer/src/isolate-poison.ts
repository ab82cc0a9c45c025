import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
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
 * A group that is refused is buried one by one, so that a single bad row holds up no other. That one is given up only
 * when another went through, which shows that the database is not what is wrong, and after a second try. Nothing is lost
 * by that: a row that has not ended is due again, and comes back.
 */
export function isolatePoison({ bury, isDatabaseAway, log }: IsolatePoisonParts): BuryGroup {
  const oneByOne = async (messages: readonly QueueMessage[], heartbeat: () => Promise<void>) => {
    const fates = new Map<QueueMessage, Fate>();
    const errors = new Map<QueueMessage, unknown>();
    for (const message of messages) {
      try {
        const [fate = 'left'] = await bury([message]);
        fates.set(message, fate);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        errors.set(message, error);
      }
      await heartbeat();
    }
    return { fates, errors };
  };
  return async (messages, heartbeat) => {
    try {
      return await bury(messages);
    } catch (error) {
      if (messages.length < 2 || isDatabaseAway(error)) throw error;
      const facts = { event: 'burial.failed', size: messages.length, err: error };
      log.warn(facts, 'a group could not be buried; trying one by one');
    }
    const first = await oneByOne(messages, heartbeat);
    if (first.fates.size === 0) throw [...first.errors.values()][0];
    const second = await oneByOne([...first.errors.keys()], heartbeat);
    for (const [{ deliveryId, endpointId, traceId }, err] of second.errors) {
      const facts = { event: 'burial.poisoned', deliveryId, endpointId, traceId, err };
      log.error(facts, 'a delivery cannot be ended');
    }
    return messages.map((one) => first.fates.get(one) ?? second.fates.get(one) ?? 'poisoned');
  };
}
