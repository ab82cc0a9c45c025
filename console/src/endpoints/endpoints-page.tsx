import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead } from '../ui/page-head.js';
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
    <>
      <PageHead title={texts.endpoints.title} actions={mayCreate && <CreateEndpointButton />} />
      <ListTable
        label={texts.endpoints.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={texts.endpoints.empty}>
            <p>{texts.endpoints.emptyHint}</p>
          </EmptyState>
        }
      />
    </>
  );
}
