import { acceptsAttempt } from './delivery.js';
import { judge } from './judge.js';
import type { Observation, Situation } from './settle.js';

/**
 * Whether an observation changes nothing but its row: a success at an endpoint without failures. It can be stored without
 * a transaction if its row is still as given when it is updated, and if no other process counts the endpoint's failures.
 */
export function needsNoTransaction({ delivery, endpoint }: Situation, observation: Observation): boolean {
  return (
    observation.kind === 'attempt' &&
    judge(observation.outcome).kind === 'delivered' &&
    delivery !== null &&
    acceptsAttempt(delivery, observation.ordinal) &&
    delivery.probeOf === undefined &&
    endpoint !== null &&
    endpoint.consecutiveFailures === 0
  );
}
