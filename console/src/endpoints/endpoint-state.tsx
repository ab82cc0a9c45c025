import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';
import { type EndpointStateName, statesOf } from './endpoint-state-name.js';
import styles from './endpoints.module.css';

const TONES: Readonly<Record<EndpointStateName, Tone>> = {
  healthy: 'good',
  slow: 'warn',
  failing: 'warn',
  held: 'hold',
  disabled_by_operator: 'neutral',
  disabled_by_failures: 'bad',
};

export function EndpointState({ endpoint }: { readonly endpoint: components['schemas']['ListedWebhook'] }) {
  return (
    <span className={styles.states}>
      {statesOf(endpoint).map((state) => (
        <Badge key={state} tone={TONES[state]}>
          {texts.endpoints.states[state]}
        </Badge>
      ))}
    </span>
  );
}
