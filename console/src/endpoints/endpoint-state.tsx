import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';

type Webhook = components['schemas']['Webhook'];
type State = keyof typeof texts.endpoints.states;

const TONES: Readonly<Record<State, Tone>> = {
  enabled: 'good',
  failing: 'warn',
  operator: 'neutral',
  consecutive_failures: 'bad',
};

export function stateOf({ disabledReason, consecutiveFailures }: Webhook): State {
  return disabledReason ?? (consecutiveFailures > 0 ? 'failing' : 'enabled');
}

export function EndpointState({ endpoint }: { readonly endpoint: Webhook }) {
  const state = stateOf(endpoint);
  return <Badge tone={TONES[state]}>{texts.endpoints.states[state]}</Badge>;
}
