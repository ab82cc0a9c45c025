import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { DialogOpener } from '../ui/dialog-opener.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { TextField } from '../ui/text-field.js';
import type { EndpointDialogProps, EndpointProps } from './show-endpoint.js';

/** Deletes the endpoint once its host is typed in. */
export function DeleteEndpointButton({ endpoint }: EndpointProps) {
  return (
    <DialogOpener look="danger" label={texts.endpoints.delete}>
      {(close) => <DeleteEndpointDialog endpoint={endpoint} onClose={close} />}
    </DialogOpener>
  );
}

/** Has what was typed, so that it is typed again for each deletion. Stays open until the answer is known. */
function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: EndpointDialogProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { host } = new URL(url);
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => client.delete('/webhooks/{endpointId}', { params: { path: { endpointId: id } } }),
    onSuccess: () => {
      // Lists name it for minutes as it was read.
      queries.setQueryData(['endpoint-name', id], null);
      void queries.invalidateQueries({ queryKey: ['endpoints'] });
    },
  });
  const remove = () => mutate(undefined, { onSuccess: () => void navigate({ to: '/endpoints' }) });
  return (
    <Dialog title={texts.endpoints.delete} onClose={isPending ? null : onClose}>
      <p>{texts.endpoints.deleteHint}</p>
      <TextField
        label={texts.endpoints.typeHost(host)}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button look="danger" isDisabled={typed.trim() !== host || isPending || isSuccess} onPress={remove}>
        {texts.endpoints.delete}
      </Button>
    </Dialog>
  );
}
