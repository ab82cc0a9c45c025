import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { EndpointForm, type EndpointSettings } from './endpoint-form.js';

const NEW: EndpointSettings = { url: '', eventTypes: [], description: '' };

export function CreateEndpointButton() {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ eventTypes, ...settings }: EndpointSettings) =>
      client.post('/webhooks', { body: { ...settings, eventTypes: [...eventTypes] } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['endpoints'] });
      await navigate({ to: '/endpoints/$endpointId', params: { endpointId: id } });
    },
  });
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        {texts.endpoints.create}
      </Button>
      {isOpen && (
        <Dialog title={texts.endpoints.create} onClose={() => setOpen(false)}>
          <EndpointForm
            initial={NEW}
            submitLabel={texts.endpoints.create}
            error={error}
            isPending={isPending}
            onSubmit={mutate}
          />
        </Dialog>
      )}
    </>
  );
}
