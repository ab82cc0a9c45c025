import { type DeliverySummary, isTerminal } from './delivery.js';
import type { SettledEndpoint } from './endpoint.js';
import { unsentReason } from './recovery-probe.js';
import { MAX_ATTEMPTS, tierOf } from './retry-policy.js';

/** The next step for a queue message. */
export type NextStep<
  Row extends DeliverySummary = DeliverySummary,
  Endpoint extends SettledEndpoint = SettledEndpoint,
> =
  /** Nothing: acknowledge the message. */
  | { readonly do: 'done' }
  /** Publish it to the dead-letter queue. */
  | { readonly do: 'dead-letter' }
  /** Publish the message of the next attempt to its delay tier. */
  | { readonly do: 'retry'; readonly ordinal: number; readonly tier: number }
  /** Not due yet: wait in memory. */
  | { readonly do: 'wait'; readonly until: Date }
  /** The endpoint no longer receives deliveries: end this one with a bookkeeping record. */
  | { readonly do: 'cancel' }
  /** Send the attempt. Both exist. */
  | { readonly do: 'deliver'; readonly delivery: Row; readonly endpoint: Endpoint };

const DONE = { do: 'done' } as const;

/**
 * Decides from the stored row, never from the attempt, so that the decision is correct for a first message, a duplicate,
 * a late one, and one whose process crashed. The first matching rule applies.
 *
 * @param ordinal the attempt that the message requests, from 1
 * @throws TypeError for a damaged row, of which it is not known how many attempts were made
 */
export function nextStep<Row extends DeliverySummary, Endpoint extends SettledEndpoint>(
  { delivery, endpoint }: { readonly delivery: Row | null; readonly endpoint: Endpoint | null },
  ordinal: number,
  now: Date,
): NextStep<Row, Endpoint> {
  if (delivery === null || isTerminal(delivery)) return DONE;
  const made = delivery.attempts;
  // No attempt could be recorded, so it would be made again at once.
  if (!Number.isInteger(made)) throw new TypeError('the row has no number of attempts');
  if (ordinal < made) return DONE;
  if (made >= MAX_ATTEMPTS) return { do: 'dead-letter' };
  if (ordinal === made) return { do: 'retry', ordinal: made + 1, tier: tierOf(made) };
  if (ordinal > made + 1) return DONE;
  if (delivery.dueAt !== null && delivery.dueAt > now) return { do: 'wait', until: delivery.dueAt };
  if (endpoint === null || unsentReason(delivery, endpoint) !== null) return { do: 'cancel' };
  return { do: 'deliver', delivery, endpoint };
}
