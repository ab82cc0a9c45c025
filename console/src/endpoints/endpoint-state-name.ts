import type { components } from '@postrider/client';

export const ENDPOINT_STATES = ['enabled', 'failing', 'operator', 'consecutive_failures'] as const;
export type EndpointStateName = (typeof ENDPOINT_STATES)[number];

export function stateOf({
  disabledReason,
  consecutiveFailures,
}: Pick<components['schemas']['Webhook'], 'disabledReason' | 'consecutiveFailures'>): EndpointStateName {
  return disabledReason ?? (consecutiveFailures > 0 ? 'failing' : 'enabled');
}
