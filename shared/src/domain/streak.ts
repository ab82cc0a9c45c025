import type { StreakChange } from './delivery.js';
import { type EndpointStanding, FAILURES_THAT_DISABLE } from './endpoint.js';
import type { Verdict } from './judge.js';

export interface StreakStep {
  readonly endpoint: EndpointStanding;
  /** Null when the streak stays as it was. */
  readonly change: StreakChange | null;
  readonly disabled: boolean;
}

/**
 * Counts one accepted attempt. An endpoint that is disabled or deleted is left alone: late attempts neither
 * disable it twice nor undo what an operator did.
 */
export function countAttempt(endpoint: EndpointStanding, verdict: Verdict, at: Date): StreakStep {
  const unmoved = { endpoint, change: null, disabled: false };
  if (!endpoint.enabled || endpoint.deletedAt !== null) return unmoved;
  const delivered = verdict.kind === 'delivered';
  if (delivered && endpoint.consecutiveFailures === 0) return unmoved;
  const moved = moveStreak(endpoint, delivered ? 0 : endpoint.consecutiveFailures + 1, at);
  if (moved.endpoint.consecutiveFailures < FAILURES_THAT_DISABLE) return { ...moved, disabled: false };
  return {
    ...moved,
    endpoint: { ...moved.endpoint, enabled: false, disabledReason: 'consecutive_failures' },
    disabled: true,
  };
}

/** What a re-enable does to the streak: back to 0, as a change of its own in the chain. */
export function clearStreak<E extends EndpointStanding>(
  endpoint: E,
  at: Date,
): { endpoint: E; change: StreakChange | null } {
  return endpoint.consecutiveFailures === 0 ? { endpoint, change: null } : moveStreak(endpoint, 0, at);
}

function moveStreak<E extends EndpointStanding>(
  endpoint: E,
  after: number,
  at: Date,
): { endpoint: E; change: StreakChange } {
  const change = { version: endpoint.streakVersion + 1, before: endpoint.consecutiveFailures, after };
  const failingSince = after === 0 ? null : (endpoint.failingSince ?? at);
  return {
    endpoint: { ...endpoint, consecutiveFailures: after, streakVersion: change.version, failingSince },
    change,
  };
}
