import type { components } from '@postrider/client';
import { type EndpointStateName, stateOf } from './endpoint-state-name.js';

type Webhook = components['schemas']['Webhook'];

export interface EndpointFilter {
  /** Part of the URL, the description, the id or an event type. */
  readonly text: string;
  readonly state: EndpointStateName | '';
}

/** The endpoints that match, in their order. The list has no filters on the server: a workspace has at most a few pages. */
export function filterEndpoints(endpoints: readonly Webhook[], { text, state }: EndpointFilter) {
  const wanted = text.trim().toLowerCase();
  return endpoints.filter(
    (endpoint) =>
      (state === '' || stateOf(endpoint) === state) && (wanted === '' || textOf(endpoint).includes(wanted)),
  );
}

function textOf({ id, url, description, eventTypes }: Webhook): string {
  return [id, url, description ?? '', ...eventTypes].join('\n').toLowerCase();
}
