import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { isolate } from '@postrider/shared/runtime/isolate';
import type { SettleDeadLetters } from './settle-dead-letters.js';

/** The result of a dead letter. Poisoned: the database rejected it although it accepted another one. */
export const DEAD_LETTER_RESULTS = ['dead_lettered', 'skipped', 'poisoned'] as const;
export type DeadLetterResult = (typeof DEAD_LETTER_RESULTS)[number];

/** Settles a group of dead letters. @returns the result of each, in the order given. @throws Error if all of them fail */
export type SettleGroup = (
  messages: readonly QueueMessage[],
  heartbeat: () => Promise<void>,
) => Promise<readonly DeadLetterResult[]>;

export interface SettleGroupParts {
  readonly settle: SettleDeadLetters;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/** Ends the attempts to settle a group one by one: another consumer may own its partition by now. */
class HeartbeatFailure extends Error {}

/** Tries after which a group is given up if none of it can be stored, because all other groups wait for it. */
const MAX_TRIES = 6;

/**
 * Settles a rejected group one by one, so that a single bad row does not block the others. Nothing is lost by giving
 * one up: a row that has not ended becomes due again and is sent to the dead-letter topic again.
 */
export function createSettleGroup({ settle, isDatabaseAway, log }: SettleGroupParts): SettleGroup {
  /** Consecutive rejections of a whole group. The same group is tried again until it is settled or given up. */
  let rejections = 0;
  const giveUp = ({ deliveryId, endpointId, traceId }: QueueMessage, err: unknown): DeadLetterResult => {
    const facts = { event: 'dead_letter.poisoned', deliveryId, endpointId, traceId, err };
    log.error(facts, 'a dead letter cannot be stored');
    return 'poisoned';
  };
  const settleOrIsolate: SettleGroup = async (messages, heartbeat) => {
    try {
      return await settle(messages);
    } catch (error) {
      if (messages.length < 2 || isDatabaseAway(error)) throw error;
      const facts = { event: 'dead_letter.group_failed', size: messages.length, err: error };
      log.warn(facts, 'a group of dead letters could not be stored; trying one by one');
    }
    const beat = () =>
      heartbeat().catch((error: unknown) => {
        throw new HeartbeatFailure('no heartbeat', { cause: error });
      });
    const settleOne = async (message: QueueMessage): Promise<DeadLetterResult> => {
      const [result = 'skipped'] = await settle([message]).finally(beat);
      return result;
    };
    const ends = (error: unknown) => error instanceof HeartbeatFailure || isDatabaseAway(error);
    const { done, poisoned, failure } = await isolate(messages, settleOne, ends);
    if (failure !== null) throw failure.error;
    const errors = new Map(poisoned);
    return messages.map((message) => done.get(message) ?? giveUp(message, errors.get(message)));
  };
  return async (messages, heartbeat) => {
    try {
      const results = await settleOrIsolate(messages, heartbeat);
      rejections = 0;
      return results;
    } catch (error) {
      if (error instanceof HeartbeatFailure) throw error.cause;
      rejections = isDatabaseAway(error) ? 0 : rejections + 1;
      if (rejections < MAX_TRIES) throw error;
      rejections = 0;
      return messages.map((message) => giveUp(message, error));
    }
  };
}
