import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { refreshFirstPages } from '../session/first-page.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { fieldErrors } from '../ui/field-errors.js';
import formStyles from '../ui/form.module.css';
import { OneTimeDialogButton } from '../ui/one-time-dialog-button.js';
import { OneTimeValue } from '../ui/one-time-value.js';
import { TextField } from '../ui/text-field.js';

const BUNDLES = ['read', 'write', 'admin'] as const;
const LIFETIMES = ['7', '30', '90', '365'] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

interface TokenDraft {
  readonly name: string;
  readonly scope: (typeof BUNDLES)[number];
  readonly days: (typeof LIFETIMES)[number];
}

/** Creates a token with one of the bundles and shows it once. */
export function CreateTokenButton() {
  const client = useClient();
  const queries = useQueryClient();
  const mutation = useRepeatableMutation({
    send: ({ header, firstSentMs }, { name, scope, days }: TokenDraft) => {
      const expiresAt = new Date(firstSentMs + Number(days) * DAY_MS).toISOString();
      return client.post('/api-tokens', { params: { header }, body: { name, scopes: [scope], expiresAt } });
    },
    // The token does not wait for that.
    onSuccess: () => void refreshFirstPages(queries, ['api-tokens']),
  });
  const { mutate, error, isPending } = mutation;
  return (
    <OneTimeDialogButton
      look="primary"
      label={texts.tokens.create}
      mutation={mutation}
      form={<TokenForm error={error} isPending={isPending} onSubmit={mutate} />}
    >
      {({ token }) => <CreatedToken token={token} />}
    </OneTimeDialogButton>
  );
}

interface TokenFormProps {
  readonly error: Error | null;
  readonly isPending: boolean;
  onSubmit(draft: TokenDraft): void;
}

function TokenForm({ error, isPending, onSubmit }: TokenFormProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenDraft['scope']>('read');
  const [days, setDays] = useState<TokenDraft['days']>('90');
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ name: name.trim(), scope, days });
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
      <OneTimeValue value={token} label={texts.tokens.copy} />
    </>
  );
}
