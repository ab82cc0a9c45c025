import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { useSession } from '../session/session-provider.js';
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
import { type InvitationAddress, invitationLink } from './invitation-link.js';
import { ROLE_OPTIONS, type Role } from './roles.js';

/** Invites a person and shows the link of the invitation once. */
export function InviteButton() {
  return (
    <DialogButton look="primary" label={texts.members.invite} title={texts.members.invite}>
      <Invite />
    </DialogButton>
  );
}

function Invite() {
  const client = useClient();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.post('/invitations', { body: { email: email.trim(), role } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  if (data !== undefined) return <Invited invitationId={data.id} acceptToken={data.acceptToken} />;
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <TextField
        label={texts.members.email}
        error={fieldErrors(error).email}
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <Choice label={texts.members.role} value={role} options={ROLE_OPTIONS} onChange={setRole} />
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
      <p className={formStyles.secret}>{link}</p>
      <CopyButton text={link} label={texts.invitations.copy} autoFocus />
    </>
  );
}
