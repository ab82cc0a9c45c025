import type { components } from '@postrider/client';

type Schemas = components['schemas'];
export type EndpointStateName = Schemas['EndpointHealth']['states'][number];

/** In the order of the filter's list. */
export const ENDPOINT_STATES = [
  'healthy',
  'slow',
  'failing',
  'held',
  'disabled_by_operator',
  'disabled_by_failures',
] as const satisfies readonly EndpointStateName[];

/** The states that the api found, or without them the one that its fields show. */
export function statesOf({
  health,
  disabledReason,
  consecutiveFailures,
}: Pick<Schemas['ListedWebhook'], 'disabledReason' | 'consecutiveFailures' | 'health'>) {
  if (health !== undefined) return health.states;
  if (disabledReason === 'operator') return ['disabled_by_operator'] as const;
  if (disabledReason === 'consecutive_failures') return ['disabled_by_failures'] as const;
  return [consecutiveFailures > 0 ? 'failing' : 'healthy'] as const;
}
