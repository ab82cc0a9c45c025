import type { components } from '@postrider/client';
import { EndpointForm } from '../endpoints/endpoint-form.js';
import type { EndpointSettings } from '../endpoints/settings-update.js';
import { useShowEndpoint } from '../endpoints/show-endpoint.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';

const NEW: EndpointSettings = { url: '', eventTypes: [], description: null, recovery: 'manual' };

export function CreateStep({ onCreated }: { onCreated(endpoint: components['schemas']['Webhook']): void }) {
  const client = useClient();
  const show = useShowEndpoint();
  const { mutate, error, isPending, isSuccess } = useRepeatableMutation({
    send: ({ header }, { eventTypes, ...settings }: EndpointSettings) =>
      client.post('/webhooks', { params: { header }, body: { ...settings, eventTypes: [...eventTypes] } }),
    onSuccess: show,
  });
  return (
    <EndpointForm
      initial={NEW}
      submitLabel={texts.endpoints.create}
      error={error}
      isPending={isPending || isSuccess}
      onSubmit={(settings) => mutate(settings, { onSuccess: onCreated })}
    />
  );
}
