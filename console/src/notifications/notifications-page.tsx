import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
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
    <ListPage
      title={texts.notifications.title}
      subtitle={texts.notifications.subtitle}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.notifications.empty}
    />
  );
}
