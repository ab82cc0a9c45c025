import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { EndpointForm, type EndpointSettings } from './endpoint-form.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

export function EditEndpointButton({ endpoint }: EndpointProps) {
  const { id, url, eventTypes, description, recovery } = endpoint;
  const client = useClient();
  const show = useShowEndpoint();
  const [isOpen, setOpen] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (settings: EndpointSettings) =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: id } },
        body: { ...settings, eventTypes: [...settings.eventTypes] },
      }),
    onSuccess: (changed) => {
      show(changed);
      setOpen(false);
    },
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.endpoints.edit}</Button>
      {isOpen && (
        <Dialog title={texts.endpoints.edit} onClose={() => setOpen(false)}>
          <EndpointForm
            initial={{ url, eventTypes, description, recovery }}
            submitLabel={texts.actions.save}
            error={error}
            isPending={isPending}
            onSubmit={mutate}
          />
        </Dialog>
      )}
    </>
  );
}
