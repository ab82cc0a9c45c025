import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';

type Webhook = components['schemas']['ListedWebhook'];

export interface EndpointProps {
  readonly endpoint: Webhook;
}

/** Shows a changed endpoint at once, then loads what the api finds of its health. */
export function useShowEndpoint(): (endpoint: Webhook) => void {
  const queries = useQueryClient();
  return (endpoint) => {
    queries.setQueryData(['endpoint', endpoint.id], endpoint);
    void queries.invalidateQueries({ queryKey: ['endpoint', endpoint.id] });
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
}
