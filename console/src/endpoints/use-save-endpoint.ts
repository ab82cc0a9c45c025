import type { components } from '@postrider/client';
import type { EndpointDialogProps } from './show-endpoint.js';
import { useChangeEndpoint } from './use-change-endpoint.js';

/** Sends the change of a dialog and closes it once the api has accepted it. An empty change is not sent. */
export function useSaveEndpoint({ endpoint, onClose }: EndpointDialogProps) {
  const { mutate, error, isPending } = useChangeEndpoint(endpoint.id);
  const save = (update: components['schemas']['UpdateWebhook']) => {
    if (Object.keys(update).length === 0) onClose();
    else mutate(update, { onSuccess: onClose });
  };
  return { save, error, isPending };
}
