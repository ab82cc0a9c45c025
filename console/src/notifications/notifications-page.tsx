import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead } from '../ui/page-head.js';
import { Time } from '../ui/time.js';

type Notification = components['schemas']['Notification'];

const COLUMNS: readonly Column<Notification>[] = [
  { title: texts.notifications.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: texts.notifications.message, cell: ({ message }) => message },
  {
    title: texts.notifications.endpoint,
    cell: ({ endpointId }) =>
      endpointId !== null && (
        <Link to="/endpoints/$endpointId" params={{ endpointId }}>
          {endpointId}
        </Link>
      ),
  },
];

export function NotificationsPage() {
  const list = useList<Notification>({
    key: ['notifications'],
    fetchPage: (client, query) => client.get('/notifications', { params: { query } }),
  });
  return (
    <>
      <PageHead title={texts.notifications.title} subtitle={texts.notifications.subtitle} />
      <ListTable
        label={texts.notifications.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={texts.notifications.empty} />}
      />
    </>
  );
}
