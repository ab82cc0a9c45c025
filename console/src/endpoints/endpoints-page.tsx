import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { CreateEndpointButton } from './create-endpoint-button.js';
import { EndpointState } from './endpoint-state.js';

type Webhook = components['schemas']['Webhook'];

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: texts.endpoints.url,
    cell: ({ id, url }) => (
      <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
        {url}
      </Link>
    ),
  },
  { title: texts.endpoints.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  { title: texts.endpoints.failures, cell: ({ consecutiveFailures }) => consecutiveFailures },
  { title: texts.endpoints.eventTypes, cell: ({ eventTypes }) => eventTypes.join(', ') },
  { title: texts.endpoints.description, cell: ({ description }) => description },
];

export function EndpointsPage() {
  const mayCreate = useMay('webhook:create');
  const list = useList<Webhook>({
    key: ['endpoints'],
    fetchPage: (client, query) => client.get('/webhooks', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.endpoints.title}
      actions={mayCreate && <CreateEndpointButton />}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.endpoints.empty}
      emptyHint={texts.endpoints.emptyHint}
    />
  );
}
