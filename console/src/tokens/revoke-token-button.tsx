import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeRows, refreshFirstPages } from '../session/first-page.js';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { tokenState } from './token-state.js';

type ApiToken = components['schemas']['ApiToken'];

interface TokenProps {
  readonly token: ApiToken;
}

const KEY = ['api-tokens'];

/** Revokes a live token after a confirmation. */
export function RevokeTokenButton({ token }: TokenProps) {
  const mayRevoke = useMay('api_token:revoke');
  if (!mayRevoke || tokenState(token, Date.now()) !== 'live') return null;
  return (
    <DialogButton
      look="quiet"
      aria-label={texts.tokens.revokeNamed(token.name)}
      label={texts.tokens.revoke}
      title={texts.tokens.revokeNamed(token.name)}
    >
      <RevokeToken token={token} />
    </DialogButton>
  );
}

function RevokeToken({ token: { id } }: TokenProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [family, setFamily] = useState<readonly 'cascade'[]>([]);
  const cascade = family.includes('cascade');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.delete('/api-tokens/{tokenId}', { params: { path: { tokenId: id }, query: { cascade } } }),
    onSuccess: () => {
      const revokedAt = new Date().toISOString();
      void changeRows<ApiToken>(queries, KEY, (token) => (token.id === id ? { ...token, revokedAt } : token));
      // Which others were revoked is known to the server.
      if (cascade) void refreshFirstPages(queries, KEY);
    },
  });
  return (
    <>
      <p>{texts.tokens.revokeHint}</p>
      <CheckboxField
        label={texts.tokens.family}
        value={family}
        options={[{ value: 'cascade', label: texts.tokens.cascade }]}
        onChange={setFamily}
      />
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {texts.tokens.revoke}
        </Button>
      </div>
    </>
  );
}
