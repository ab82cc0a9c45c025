import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { formatMs } from '../ui/format-ms.js';
import type { EndpointStateName } from './state-name.js';

/** Says why an endpoint is in a state. */
export function reasonOf(
  state: EndpointStateName,
  { health, consecutiveFailures, heldDeliveries }: components['schemas']['ListedWebhook'],
): string {
  const { reasons } = texts.health;
  if (state === 'slow') return reasons.slow(formatMs(health?.latencyMs?.p95 ?? 0));
  if (state === 'failing') return reasons.failing(consecutiveFailures);
  if (state === 'held') return texts.held.count(heldDeliveries);
  return reasons[state];
}
