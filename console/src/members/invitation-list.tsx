import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { changeRows } from '../session/first-page.js';
import { useSession } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Confirmation } from '../ui/confirmation.js';
import type { Column } from '../ui/data-table.js';
import { DialogButton } from '../ui/dialog-button.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { Time } from '../ui/time.js';
import { mayInviteAs } from './roles.js';

type Invitation = components['schemas']['Invitation'];

const TONES = { pending: 'warn', accepted: 'good', revoked: 'neutral', expired: 'neutral' } as const;

const COLUMNS: readonly Column<Invitation>[] = [
  { title: texts.members.email, cell: ({ email }) => email },
  { title: texts.members.role, cell: ({ role }) => texts.members.roles[role] },
  {
    title: texts.invitations.status,
    cell: ({ status }) => <Badge tone={TONES[status]}>{texts.invitations.statuses[status]}</Badge>,
  },
  { title: texts.invitations.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  { title: texts.actions.column, cell: (invitation) => <RevokeInvitation invitation={invitation} /> },
];

export function InvitationList() {
  const list = useList<Invitation>({
    key: ['invitations'],
    fetchPage: (client, query) => client.get('/invitations', { params: { query } }),
  });
  return (
    <>
      <h2>{texts.invitations.title}</h2>
      <ListTable
        label={texts.invitations.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={texts.invitations.empty} />}
      />
    </>
  );
}

function RevokeInvitation({ invitation: { id, email, role, status } }: { readonly invitation: Invitation }) {
  const client = useClient();
  const queries = useQueryClient();
  const { permissions } = useSession();
  const mayRevoke = permissions.has('member:invite') && mayInviteAs(role, permissions);
  if (!mayRevoke || status !== 'pending') return null;
  const revoke = () =>
    client.delete('/invitations/{invitationId}', { params: { path: { invitationId: id } } });
  const show = () =>
    void changeRows<Invitation>(queries, ['invitations'], (invitation) =>
      invitation.id === id ? { ...invitation, status: 'revoked' } : invitation,
    );
  const title = texts.invitations.revokeNamed(email);
  return (
    <DialogButton look="quiet" aria-label={title} label={texts.invitations.revoke} title={title}>
      <Confirmation
        hint={texts.invitations.revokeHint}
        label={texts.invitations.revoke}
        send={revoke}
        onSuccess={show}
      />
    </DialogButton>
  );
}
