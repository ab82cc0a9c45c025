import type { Tone } from '../ui/badge.js';
import type { EndpointStateName } from './state-name.js';

export const STATE_TONES: Readonly<Record<EndpointStateName, Tone>> = {
  healthy: 'good',
  slow: 'warn',
  failing: 'warn',
  held: 'hold',
  disabled_by_operator: 'neutral',
  disabled_by_failures: 'bad',
};
