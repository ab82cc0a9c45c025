import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';

type Webhook = components['schemas']['Webhook'];

export interface EndpointProps {
  readonly endpoint: Webhook;
}

/** Shows a changed endpoint at once, and loads the list again when it is opened. */
export function useShowEndpoint(): (endpoint: Webhook) => void {
  const queries = useQueryClient();
  return (endpoint) => {
    queries.setQueryData(['endpoint', endpoint.id], endpoint);
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
}
