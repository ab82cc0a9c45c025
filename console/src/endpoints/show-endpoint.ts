import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';

type Webhook = components['schemas']['ListedWebhook'];
type WebhookDetails = components['schemas']['WebhookDetails'];

export interface EndpointProps {
  readonly endpoint: Webhook;
}

export interface EndpointDialogProps extends EndpointProps {
  onClose(): void;
}

/** Shows a changed endpoint at once, then loads what the api finds of its health. */
export function useShowEndpoint(): (endpoint: Webhook) => void {
  const queries = useQueryClient();
  return (endpoint) => {
    // The answer to a change has no reasons why sending is held. They must not disappear and appear again.
    queries.setQueryData<WebhookDetails>(['endpoint', endpoint.id], (known) => ({
      ...endpoint,
      ...(known?.sendingHolds !== undefined && { sendingHolds: known.sendingHolds }),
    }));
    // Lists name it for minutes as it was read.
    const { id, url, description } = endpoint;
    queries.setQueryData(['endpoint-name', id], { id, url, description });
    void queries.invalidateQueries({ queryKey: ['endpoint', endpoint.id] });
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
  };
}
