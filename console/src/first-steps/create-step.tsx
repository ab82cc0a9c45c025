import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { EndpointForm, type EndpointSettings } from '../endpoints/endpoint-form.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';

const NEW: EndpointSettings = { url: '', eventTypes: [], description: null, recovery: 'manual' };

export function CreateStep({ onCreated }: { onCreated(endpoint: components['schemas']['Webhook']): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ eventTypes, ...settings }: EndpointSettings) =>
      client.post('/webhooks', { body: { ...settings, eventTypes: [...eventTypes] } }),
    onSuccess: async (endpoint) => {
      await queries.invalidateQueries({ queryKey: ['endpoints'] });
      onCreated(endpoint);
    },
  });
  return (
    <EndpointForm
      initial={NEW}
      submitLabel={texts.endpoints.create}
      error={error}
      isPending={isPending}
      onSubmit={mutate}
    />
  );
}
