import { disabledSince } from './disabled-period.js';
import type { Endpoint, Holding } from './endpoint.js';

/** What fan-out has held for an endpoint since it was disabled; null if it is enabled or nothing has been held yet. */
export function currentHolding(
  endpoint: Pick<Endpoint, 'enabled' | 'enabledSince' | 'disabledAt' | 'holding'>,
): Holding | null {
  const { holding } = endpoint;
  const isCurrent = !endpoint.enabled && holding?.since.getTime() === disabledSince(endpoint).getTime();
  return isCurrent ? holding : null;
}
