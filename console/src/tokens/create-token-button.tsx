import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { CopyButton } from '../ui/copy-button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { fieldErrors } from '../ui/field-errors.js';
import formStyles from '../ui/form.module.css';
import { TextField } from '../ui/text-field.js';

const BUNDLES = ['read', 'write', 'admin'] as const;
const LIFETIMES = ['7', '30', '90', '365'] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Creates a token with one of the bundles and shows it once. */
export function CreateTokenButton() {
  return (
    <DialogButton look="primary" label={texts.tokens.create} title={texts.tokens.create}>
      <CreateToken />
    </DialogButton>
  );
}

function CreateToken() {
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<(typeof BUNDLES)[number]>('read');
  const [days, setDays] = useState<(typeof LIFETIMES)[number]>('90');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return client.post('/api-tokens', { body: { name: name.trim(), scopes: [scope], expiresAt } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-tokens'] }),
  });
  if (data !== undefined) return <CreatedToken token={data.token} />;
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <TextField label={texts.tokens.name} error={fieldErrors(error).name} value={name} onChange={setName} />
      <Choice
        label={texts.tokens.scopes}
        value={scope}
        options={BUNDLES.map((value) => ({ value, label: texts.tokens.bundles[value] }))}
        onChange={setScope}
      />
      <Choice
        label={texts.tokens.expires}
        value={days}
        options={LIFETIMES.map((value) => ({ value, label: texts.tokens.inDays(value) }))}
        onChange={setDays}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isDisabled={name.trim() === '' || isPending}>
        {texts.tokens.create}
      </Button>
    </Form>
  );
}

function CreatedToken({ token }: { readonly token: string }) {
  return (
    <>
      <p>{texts.tokens.once}</p>
      <p className={formStyles.secret}>{token}</p>
      <CopyButton text={token} label={texts.tokens.copy} autoFocus />
    </>
  );
}
