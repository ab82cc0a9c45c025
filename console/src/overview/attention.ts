import type { components } from '@postrider/client';
import { CONCERNS, type Concern } from '../health/concerns.js';

type Webhook = components['schemas']['ListedWebhook'];

export interface Attention {
  readonly endpoint: Webhook;
  readonly concern: Concern;
}

/** Endpoints with the most urgent of their states, the most urgent first; within a state the worst first. */
export function attentionOf(endpoints: readonly Webhook[]): readonly Attention[] {
  return endpoints
    .flatMap((endpoint) => {
      const concern = CONCERNS.find((state) => endpoint.health?.states.includes(state));
      return concern === undefined ? [] : [{ endpoint, concern }];
    })
    .toSorted(byUrgency);
}

function byUrgency(a: Attention, b: Attention): number {
  return (
    CONCERNS.indexOf(a.concern) - CONCERNS.indexOf(b.concern) ||
    b.endpoint.heldDeliveries - a.endpoint.heldDeliveries ||
    b.endpoint.consecutiveFailures - a.endpoint.consecutiveFailures ||
    slowness(b) - slowness(a)
  );
}

function slowness({ endpoint }: Attention): number {
  return endpoint.health?.latencyMs?.p95 ?? 0;
}
