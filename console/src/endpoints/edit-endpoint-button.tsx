import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { EndpointForm, type EndpointSettings } from './endpoint-form.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

export function EditEndpointButton({ endpoint }: EndpointProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.endpoints.edit}</Button>
      {isOpen && <EditEndpointDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

interface EditEndpointDialogProps extends EndpointProps {
  onClose(): void;
}

/** Stays open until the answer is known. */
function EditEndpointDialog({ endpoint, onClose }: EditEndpointDialogProps) {
  const client = useClient();
  const show = useShowEndpoint();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (settings: EndpointSettings) =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: endpoint.id } },
        body: { ...settings, eventTypes: [...settings.eventTypes] },
      }),
    onSuccess: (changed) => {
      show(changed);
      onClose();
    },
  });
  return (
    <Dialog title={texts.endpoints.edit} onClose={isPending ? null : onClose}>
      <EndpointForm
        initial={endpoint}
        submitLabel={texts.actions.save}
        error={error}
        isPending={isPending}
        onSubmit={mutate}
      />
    </Dialog>
  );
}
