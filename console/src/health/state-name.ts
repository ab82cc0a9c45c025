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
