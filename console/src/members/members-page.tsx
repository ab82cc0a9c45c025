import type { components } from '@postrider/client';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { ChangeRoleButton } from './change-role-button.js';
import { InvitationList } from './invitation-list.js';
import { InviteButton } from './invite-button.js';
import { RemoveMemberButton } from './remove-member-button.js';

type Member = components['schemas']['Member'];

const COLUMNS: readonly Column<Member>[] = [
  { title: texts.members.email, cell: ({ email }) => email },
  { title: texts.members.role, cell: ({ role }) => texts.members.roles[role] },
  {
    title: texts.actions.column,
    cell: (member) => (
      <>
        <ChangeRoleButton member={member} />
        <RemoveMemberButton member={member} />
      </>
    ),
  },
];

export function MembersPage() {
  const mayInvite = useMay('member:invite');
  const list = useList<Member>({
    key: ['members'],
    fetchPage: (client, query) => client.get('/members', { params: { query } }),
  });
  return (
    <>
      <ListPage
        title={texts.members.title}
        actions={mayInvite && <InviteButton />}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={texts.members.empty}
        emptyHint={mayInvite ? texts.members.emptyHint : undefined}
      />
      <InvitationList />
    </>
  );
}
