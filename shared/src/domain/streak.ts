import type { StreakChange } from './delivery.js';
import { FAILURES_THAT_DISABLE, type SettledEndpoint } from './endpoint.js';
import type { Verdict } from './judge.js';

export interface StreakStep {
  readonly endpoint: SettledEndpoint;
  /** Null if the streak does not change. */
  readonly change: StreakChange | null;
  /** Whether it is the failure that disables the endpoint. */
  readonly disables: boolean;
}

/**
 * Counts one accepted attempt. A disabled or deleted endpoint does not change: late attempts neither disable it twice
 * nor undo an operator's change. A failure that ended before the endpoint was enabled again does not count either: enabling
 * reset the streak.
 */
export function countAttempt(endpoint: SettledEndpoint, verdict: Verdict, at: Date): StreakStep {
  const unchanged = { endpoint, change: null, disables: false };
  if (!endpoint.enabled || endpoint.deletedAt !== null) return unchanged;
  const delivered = verdict.kind === 'delivered';
  if (delivered ? endpoint.consecutiveFailures === 0 : isBeforeReset(endpoint, at)) return unchanged;
  const changed = changeStreak(endpoint, delivered ? 0 : endpoint.consecutiveFailures + 1, at);
  if (changed.endpoint.consecutiveFailures < FAILURES_THAT_DISABLE) return { ...changed, disables: false };
  return {
    ...changed,
    endpoint: {
      ...changed.endpoint,
      enabled: false,
      disabledReason: 'consecutive_failures',
      disabledAt: at,
      ...(endpoint.recovery === 'probe' && { probeAt: at }),
    },
    disables: true,
  };
}

/** An endpoint that was never enabled again has no such time: its creation may be dated by a clock that was corrected since. */
function isBeforeReset({ lastPeriod, enabledSince }: SettledEndpoint, at: Date): boolean {
  return lastPeriod !== undefined && at < enabledSince;
}

/** Resets the streak for a re-enable, as a separate change in the chain. */
export function clearStreak<E extends SettledEndpoint>(
  endpoint: E,
  at: Date,
): { endpoint: E; change: StreakChange | null } {
  return endpoint.consecutiveFailures === 0 ? { endpoint, change: null } : changeStreak(endpoint, 0, at);
}

function changeStreak<E extends SettledEndpoint>(
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
