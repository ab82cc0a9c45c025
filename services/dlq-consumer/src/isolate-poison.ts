import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { isolate } from '@postrider/shared/runtime/isolate';
import type { DeadLetterMessages } from './dead-letter.js';

/** What became of a dead letter; poisoned: the database refused it although it took another. */
export const RESULTS = ['dead_lettered', 'left', 'poisoned'] as const;
export type Result = (typeof RESULTS)[number];

/** Buries a group. @returns what became of each, in the order given. @throws Error when none could be buried */
export type DeadLetterGroup = (
  messages: readonly QueueMessage[],
  heartbeat: () => Promise<void>,
) => Promise<readonly Result[]>;

export interface IsolatePoisonParts {
  readonly bury: DeadLetterMessages;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/**
 * A group that is refused is buried one by one, so that a single bad row holds up no other. Nothing is lost by giving
 * one up: a row that has not ended is due again, and comes back.
 */
export function isolatePoison({ bury, isDatabaseAway, log }: IsolatePoisonParts): DeadLetterGroup {
  return async (messages, heartbeat) => {
    try {
      return await bury(messages);
    } catch (error) {
      if (messages.length < 2 || isDatabaseAway(error)) throw error;
      const facts = { event: 'dead_letter.group_failed', size: messages.length, err: error };
      log.warn(facts, 'a group could not be buried; trying one by one');
    }
    const deadLetterOne = async (message: QueueMessage): Promise<Result> => {
      const [result = 'left'] = await bury([message]).finally(heartbeat);
      return result;
    };
    const { done, poisoned, failure } = await isolate(messages, deadLetterOne, isDatabaseAway);
    if (failure !== null) throw failure.error;
    for (const [{ deliveryId, endpointId, traceId }, err] of poisoned) {
      const facts = { event: 'dead_letter.poisoned', deliveryId, endpointId, traceId, err };
      log.error(facts, 'a delivery cannot be ended');
    }
    return messages.map((message) => done.get(message) ?? 'poisoned');
  };
}
