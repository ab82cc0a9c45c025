import type { components } from '@postrider/client';
import { SendingHolds } from '../holds/sending-holds.js';
import { useCurrentHolds } from '../holds/use-current-holds.js';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { ENDPOINT_COLUMNS } from './endpoint-columns.js';
import { EndpointFilters } from './endpoint-filters.js';
import { useEndpointFilter } from './use-endpoint-filter.js';

/** The filters are part of the address, so that a view can be shared and is found again. */
export function EndpointsPage() {
  const mayCreate = useMay('webhook:create');
  const { filter, draft, setDraft } = useEndpointFilter();
  const list = useList<components['schemas']['ListedWebhook'], components['schemas']['WebhookPage']>({
    key: ['endpoints', filter],
    fetchPage: (client, page) =>
      client.get('/webhooks', { params: { query: { ...filter, ...page, health: true } } }),
  });
  const holds = useCurrentHolds(list);
  const isFiltered = Object.keys(filter).length > 0;
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
      <SendingHolds holds={holds} />
      <EndpointFilters draft={draft} onChange={setDraft} />
    </ListPage>
  );
}
