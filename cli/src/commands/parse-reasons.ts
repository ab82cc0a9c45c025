import { type components, FAILURE_REASONS, isAttemptFailureReason } from '@postrider/client';
import { InvalidArgumentError } from 'commander';
import { several } from '../context/parse-options.js';

type Schemas = components['schemas'];
type FailureReason = Schemas['FailureReason'];

/** Only one of the two: together they would select deliveries with a reason of each kind. */
export interface Reasons {
  readonly failureReasons?: FailureReason[];
  readonly lastFailureReasons?: Schemas['AttemptFailureReason'][];
}

/**
 * Collects reasons. A reason of attempts selects deliveries whose last attempt failed with it, whether or not the retries are
 * exhausted. The others are reasons of deliveries only.
 */
export function failureReasons(text: string, before?: Reasons): Reasons {
  const given = several(text, before?.failureReasons ?? before?.lastFailureReasons);
  const reasons = FAILURE_REASONS.filter((reason) => given.includes(reason));
  if (reasons.length < new Set(given).size) {
    throw new InvalidArgumentError(`Give some of ${FAILURE_REASONS.join(', ')}.`);
  }
  const ofAttempts = reasons.filter(isAttemptFailureReason);
  if (ofAttempts.length === reasons.length) return { lastFailureReasons: ofAttempts };
  if (ofAttempts.length === 0) return { failureReasons: reasons };
  const others = FAILURE_REASONS.filter((reason) => !isAttemptFailureReason(reason));
  throw new InvalidArgumentError(`${others.join(', ')} cannot be combined with the other reasons.`);
}
