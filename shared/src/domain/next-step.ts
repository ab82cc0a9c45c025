import { isTerminal } from './delivery.js';
import { closedReason } from './endpoint.js';
import { MAX_ATTEMPTS, tierOf } from './retry-policy.js';
import type { Situation } from './settle.js';

/** What has to happen next with a queue message. */
export type NextStep =
  /** Nothing: acknowledge the message. */
  | { readonly do: 'done' }
  /** Hand the delivery to the dead-letter queue. */
  | { readonly do: 'dead-letter' }
  /** Send the message of the next attempt to its delay tier. */
  | { readonly do: 'retry'; readonly ordinal: number; readonly tier: number }
  /** Not due yet: wait here, never POST. */
  | { readonly do: 'wait'; readonly until: Date }
  /** The endpoint no longer receives: end the delivery with a bookkeeping record. */
  | { readonly do: 'close' }
  /** POST it. */
  | { readonly do: 'deliver' };

const DONE: NextStep = { do: 'done' };

/**
 * Decides from the stored row, never from the attempt: so it is right for a first message, a duplicate, a late one
 * and for one whose process died half-way. The first rule that matches wins.
 *
 * @param ordinal the attempt that the message asks for, from 1
 */
export function nextStep({ delivery, endpoint }: Situation, ordinal: number, now: Date): NextStep {
  if (delivery === null || isTerminal(delivery)) return DONE;
  const made = delivery.attempts;
  if (ordinal < made) return DONE;
  if (made >= MAX_ATTEMPTS) return { do: 'dead-letter' };
  if (ordinal === made) return { do: 'retry', ordinal: made + 1, tier: tierOf(made) };
  if (ordinal > made + 1) return DONE;
  if (delivery.dueAt !== null && delivery.dueAt > now) return { do: 'wait', until: delivery.dueAt };
  if (closedReason(endpoint) !== null) return { do: 'close' };
  return { do: 'deliver' };
}
