import type { StreakChange } from './delivery.js';
import { earlierPeriodsAt, periodOf } from './disabled-period.js';
import type { SettledEndpoint } from './endpoint.js';
import { clearStreak } from './streak.js';

/** Enables a disabled endpoint: its streak is reset, and the disabled period that ends is remembered. */
export function enableAgain<E extends SettledEndpoint>(
  endpoint: E,
  at: Date,
): { endpoint: E; change: StreakChange | null } {
  return clearStreak(
    {
      ...endpoint,
      enabled: true,
      disabledReason: null,
      enabledSince: at,
      disabledAt: null,
      lastPeriod: periodOf(endpoint),
      earlierPeriods: earlierPeriodsAt(endpoint, at),
      probeAt: null,
    },
    at,
  );
}
