import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { TextField } from '../ui/text-field.js';
import type { EndpointProps } from './show-endpoint.js';

/** Deletes the endpoint once its host is typed in. */
export function DeleteEndpointButton({ endpoint: { id, url } }: EndpointProps) {
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { host } = new URL(url);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.delete('/webhooks/{endpointId}', { params: { path: { endpointId: id } } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['endpoints'] }),
  });
  const remove = () => mutate(undefined, { onSuccess: () => void navigate({ to: '/endpoints' }) });
  return (
    <DialogButton look="danger" label={texts.endpoints.delete} title={texts.endpoints.delete}>
      <p>{texts.endpoints.deleteHint}</p>
      <TextField
        label={texts.endpoints.typeHost(host)}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button look="danger" isDisabled={typed.trim() !== host || isPending} onPress={remove}>
        {texts.endpoints.delete}
      </Button>
    </DialogButton>
  );
}
