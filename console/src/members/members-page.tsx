import type { components } from '@postrider/client';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead } from '../ui/page-head.js';

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
    <>
      <PageHead title={texts.members.title} />
      <ListTable
        label={texts.members.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={texts.members.empty} />}
      />
    </>
  );
}
