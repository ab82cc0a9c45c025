import type { components } from '@postrider/client';
import type { EndpointStateName } from '../health/state-name.js';
import { reasonOf } from '../health/state-reason.js';
import { texts } from '../texts/en.js';

type Webhook = components['schemas']['ListedWebhook'];

/** Why an endpoint is in a state, and what that means for it. */
export function explanationOf(state: EndpointStateName, endpoint: Webhook): string {
  const reason = reasonOf(state, endpoint);
  const advice = adviceOf(state, endpoint);
  return advice === null ? reason : `${reason} ${advice}`;
}

function adviceOf(state: EndpointStateName, { recovery, missedDeliveries }: Webhook): string | null {
  const { advice } = texts.health;
  switch (state) {
    case 'slow':
      return advice.slow;
    case 'disabled_by_operator':
      return advice.disabled_by_operator;
    case 'disabled_by_failures':
      return advice.disabled_by_failures[recovery];
    case 'held':
      return missedDeliveries > 0 ? texts.held.missed(missedDeliveries) : null;
    case 'failing':
    case 'healthy':
      return null;
  }
}
