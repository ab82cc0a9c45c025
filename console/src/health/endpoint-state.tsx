import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import styles from './health.module.css';
import type { EndpointStateName } from './state-name.js';
import { STATE_TONES } from './state-tones.js';

type Webhook = components['schemas']['ListedWebhook'];

/** The states that the api found of an endpoint, with the numbers that belong to them. */
export function EndpointState({ endpoint }: { readonly endpoint: Webhook }) {
  return (
    <span className={styles.states}>
      {endpoint.health?.states.map((state) => (
        <Badge key={state} tone={STATE_TONES[state]}>
          {nameOf(state, endpoint)}
        </Badge>
      ))}
    </span>
  );
}

function nameOf(state: EndpointStateName, { consecutiveFailures, heldDeliveries }: Webhook): string {
  const name = texts.endpoints.states[state];
  if (state === 'failing') return texts.health.counted(name, consecutiveFailures);
  return state === 'held' ? texts.health.counted(name, heldDeliveries) : name;
}
