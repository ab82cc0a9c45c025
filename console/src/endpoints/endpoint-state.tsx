import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';
import { type EndpointStateName, stateOf } from './endpoint-state-name.js';

const TONES: Readonly<Record<EndpointStateName, Tone>> = {
  enabled: 'good',
  failing: 'warn',
  operator: 'neutral',
  consecutive_failures: 'bad',
};

export function EndpointState({ endpoint }: { readonly endpoint: components['schemas']['Webhook'] }) {
  const state = stateOf(endpoint);
  return <Badge tone={TONES[state]}>{texts.endpoints.states[state]}</Badge>;
}
