import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { refreshFirstPages } from '../session/first-page.js';
import { useSession } from '../session/session-provider.js';
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
import { type InvitationAddress, invitationLink } from './invitation-link.js';
import { mayInviteAs, ROLE_OPTIONS, type Role } from './roles.js';

interface InvitationDraft {
  readonly email: string;
  readonly role: Role;
}

/** Invites a person and shows the link of the invitation once. */
export function InviteButton() {
  const client = useClient();
  const queries = useQueryClient();
  const mutation = useRepeatableMutation({
    send: ({ header }, draft: InvitationDraft) =>
      client.post('/invitations', { params: { header }, body: draft }),
    // The link does not wait for that.
    onSuccess: () => void refreshFirstPages(queries, ['invitations']),
  });
  const { mutate, error, isPending } = mutation;
  return (
    <OneTimeDialogButton
      look="primary"
      label={texts.members.invite}
      mutation={mutation}
      form={<InvitationForm error={error} isPending={isPending} onSubmit={mutate} />}
    >
      {({ id, acceptToken }) => <Invited invitationId={id} acceptToken={acceptToken} />}
    </OneTimeDialogButton>
  );
}

interface InvitationFormProps {
  readonly error: Error | null;
  readonly isPending: boolean;
  onSubmit(draft: InvitationDraft): void;
}

function InvitationForm({ error, isPending, onSubmit }: InvitationFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const { permissions } = useSession();
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ email: email.trim(), role });
      }}
    >
      <TextField
        label={texts.members.email}
        error={fieldErrors(error).email}
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <Choice
        label={texts.members.role}
        value={role}
        options={ROLE_OPTIONS.filter(({ value }) => mayInviteAs(value, permissions))}
        onChange={setRole}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isDisabled={email.trim() === '' || isPending}>
        {texts.members.invite}
      </Button>
    </Form>
  );
}

function Invited(invitation: Omit<InvitationAddress, 'slug'>) {
  const { slug } = useSession().workspace;
  const link = invitationLink(document.baseURI, { slug, ...invitation });
  return (
    <>
      <p>{texts.invitations.once}</p>
      <OneTimeValue value={link} label={texts.invitations.copy} />
    </>
  );
}
