import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { SendingHolds } from '../holds/sending-holds.js';
import { useCurrentHolds } from '../holds/use-current-holds.js';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { isSameFilter } from '../ui/is-same-filter.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { DELIVERY_COLUMNS, selectionColumn } from './delivery-columns.js';
import { type DeliveryFilter, deliveryIdIn, queryOf } from './delivery-filter.js';
import { DeliveryFilters } from './delivery-filters.js';
import { EventPanel, eventKey } from './event-panel.js';
import { ReplaySelectedButton } from './replay-selected-button.js';
import { replaySetOf } from './replay-set.js';
import { useSelection } from './use-selection.js';

type Delivery = components['schemas']['Delivery'];

/**
 * The deliveries of all endpoints. The filters are part of the address, so that a view can be shared. An event can have no
 * deliveries, so with its id as a filter the page also shows why.
 */
export function DeliveriesPage() {
  const filter = useSearch({ from: '/deliveries' });
  const { eventId } = filter;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayReplay = useMay('webhook:replay');
  const mayCreateJob = useMay('replay_job:create');
  const replaySet = replaySetOf(filter);
  const list = useList<Delivery, components['schemas']['DeliveryPage']>({
    key: ['deliveries', filter],
    fetchPage: (client, page) =>
      client.get('/webhooks/deliveries', { params: { query: { ...queryOf(filter), ...page } } }),
  });
  const { data: rows } = list.rows;
  const loaded = useMemo(() => new Set(rows?.map(({ deliveryId }) => deliveryId)), [rows]);
  const selection = useSelection(JSON.stringify(filter), loaded);
  const holds = useCurrentHolds(list);
  const restart = () => {
    list.restart();
    if (eventId !== undefined) void queries.resetQueries({ queryKey: eventKey(eventId) });
  };
  const apply = (changed: DeliveryFilter) => {
    const deliveryId = deliveryIdIn(changed);
    if (deliveryId !== null) void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId } });
    else if (isSameFilter(changed, filter)) restart();
    else void navigate({ to: '/deliveries', search: changed });
  };
  return (
    <>
      <ListPage
        title={texts.deliveries.title}
        actions={
          <>
            {mayReplay && <ReplaySelectedButton ids={[...selection.ids]} onHandled={selection.remove} />}
            {mayCreateJob && replaySet !== null && (
              <LinkButton to="/replays/new" search={replaySet}>
                {texts.replays.replaySet}
              </LinkButton>
            )}
          </>
        }
        columns={mayReplay ? [selectionColumn(selection), ...DELIVERY_COLUMNS] : DELIVERY_COLUMNS}
        list={list}
        keyOf={({ deliveryId }) => deliveryId}
        empty={texts.deliveries.empty}
        emptyHint={texts.deliveries.emptyHint}
      >
        <SendingHolds holds={holds} />
        <DeliveryFilters filter={filter} onChange={apply} />
      </ListPage>
      {eventId !== undefined && <EventPanel eventId={eventId} />}
    </>
  );
}
