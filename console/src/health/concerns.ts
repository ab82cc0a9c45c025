import type { EndpointStateName } from './state-name.js';

/** The states that need attention, the most urgent first. */
export const CONCERNS = [
  'disabled_by_failures',
  'held',
  'failing',
  'slow',
] as const satisfies readonly EndpointStateName[];
export type Concern = (typeof CONCERNS)[number];

/** Any of them, as a filter of endpoints. */
export const ANY_CONCERN = CONCERNS.join(',');
