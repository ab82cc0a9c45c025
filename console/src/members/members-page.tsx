import type { components } from '@postrider/client';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';

type Member = components['schemas']['Member'];

const COLUMNS: readonly Column<Member>[] = [
  { title: texts.members.email, cell: ({ email }) => email },
  { title: texts.members.role, cell: ({ role }) => texts.members.roles[role] },
];

export function MembersPage() {
  const list = useList<Member>({
    key: ['members'],
    fetchPage: (client, query) => client.get('/members', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.members.title}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.members.empty}
    />
  );
}
