import type { components } from '@postrider/client';

type Webhook = components['schemas']['Webhook'];

/** Why an endpoint needs attention, the most urgent first. */
export const CONCERNS = ['disabled_by_failures', 'held', 'failing'] as const;
export type Concern = (typeof CONCERNS)[number];

export interface Attention {
  readonly endpoint: Webhook;
  readonly concern: Concern;
}

/** The endpoints that need attention, the most urgent first; within a concern the worst first. */
export function attentionOf(endpoints: readonly Webhook[]): readonly Attention[] {
  return endpoints
    .flatMap((endpoint) => {
      const concern = concernOf(endpoint);
      return concern === null ? [] : [{ endpoint, concern }];
    })
    .toSorted(byUrgency);
}

function concernOf({ disabledReason, heldDeliveries, consecutiveFailures }: Webhook): Concern | null {
  if (disabledReason === 'consecutive_failures') return 'disabled_by_failures';
  if (heldDeliveries > 0) return 'held';
  return disabledReason === null && consecutiveFailures > 0 ? 'failing' : null;
}

function byUrgency(a: Attention, b: Attention): number {
  return (
    CONCERNS.indexOf(a.concern) - CONCERNS.indexOf(b.concern) ||
    b.endpoint.heldDeliveries - a.endpoint.heldDeliveries ||
    b.endpoint.consecutiveFailures - a.endpoint.consecutiveFailures
  );
}
