import type { components } from '@postrider/client';
import { useState } from 'react';
import { SendingHolds } from '../holds/sending-holds.js';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { useSettled } from '../ui/use-settled.js';
import { ENDPOINT_COLUMNS } from './endpoint-columns.js';
import { NO_FILTER, queryOf } from './endpoint-filter.js';
import { EndpointFilters } from './endpoint-filters.js';

const SETTLED_MS = 300;

export function EndpointsPage() {
  const mayCreate = useMay('webhook:create');
  const [filter, setFilter] = useState(NO_FILTER);
  const query = queryOf(useSettled(filter, SETTLED_MS));
  const list = useList<components['schemas']['ListedWebhook'], components['schemas']['WebhookPage']>({
    key: ['endpoints', query],
    fetchPage: (client, page) =>
      client.get('/webhooks', { params: { query: { ...query, ...page, health: true } } }),
  });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <ListPage
      title={texts.endpoints.title}
      actions={
        mayCreate && (
          <LinkButton look="primary" to="/endpoints/new">
            {texts.endpoints.create}
          </LinkButton>
        )
      }
      columns={ENDPOINT_COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={isFiltered ? texts.endpoints.noMatch : texts.endpoints.empty}
      emptyHint={isFiltered ? undefined : texts.endpoints.emptyHint}
    >
      <SendingHolds holds={list.latest?.sendingHolds} />
      <EndpointFilters filter={filter} onChange={setFilter} />
    </ListPage>
  );
}
