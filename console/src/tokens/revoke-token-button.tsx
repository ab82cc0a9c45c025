import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { tokenState } from './token-state.js';

/** Revokes a live token after a confirmation. */
export function RevokeTokenButton({ token }: { readonly token: components['schemas']['ApiToken'] }) {
  const client = useClient();
  const queries = useQueryClient();
  const mayRevoke = useMay('api_token:revoke');
  const [isOpen, setOpen] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.delete('/api-tokens/{tokenId}', { params: { path: { tokenId: token.id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-tokens'] }),
  });
  if (!mayRevoke || tokenState(token, Date.now()) !== 'live') return null;
  return (
    <>
      <Button look="quiet" aria-label={texts.tokens.revokeNamed(token.name)} onPress={() => setOpen(true)}>
        {texts.tokens.revoke}
      </Button>
      {isOpen && (
        <Dialog title={texts.tokens.revokeNamed(token.name)} onClose={() => setOpen(false)}>
          <p>{texts.tokens.revokeHint}</p>
          {error !== null && <ErrorPanel error={error} />}
          <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
            {texts.tokens.revoke}
          </Button>
        </Dialog>
      )}
    </>
  );
}
