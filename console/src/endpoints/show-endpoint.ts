import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';

type Webhook = components['schemas']['Webhook'];

export interface EndpointProps {
  readonly endpoint: Webhook;
}

/** Shows a changed endpoint at once, and loads the list again when it is opened. */
export function useShowEndpoint(): (endpoint: Webhook) => void {
  const queries = useQueryClient();
  const client = useClient();
  return (endpoint) => {
    queries.setQueryData(['endpoint', client, endpoint.id], endpoint);
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
}
