import type { components } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { useShowEndpoint } from './show-endpoint.js';

/** Changes an endpoint, and shows it as the api answers. */
export function useChangeEndpoint(endpointId: string) {
  const client = useClient();
  const show = useShowEndpoint();
  return useMutation({
    mutationFn: (body: components['schemas']['UpdateWebhook']) =>
      client.patch('/webhooks/{endpointId}', { params: { path: { endpointId } }, body }),
    onSuccess: ({ replayJobId: _, ...changed }) => show(changed),
  });
}
