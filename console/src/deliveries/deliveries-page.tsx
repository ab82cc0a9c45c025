import type { components } from '@postrider/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { ListTable } from '../ui/list-table.js';
import { PageHead } from '../ui/page-head.js';
import { Time } from '../ui/time.js';
import { queryOf } from './delivery-filter.js';
import { DeliveryFilters } from './delivery-filters.js';
import { StatusBadge } from './status-badge.js';

type Delivery = components['schemas']['Delivery'];

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: texts.deliveries.created,
    cell: ({ deliveryId, createdAt }) => (
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={createdAt} />
      </Link>
    ),
  },
  { title: texts.deliveries.status, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: texts.deliveries.event, cell: ({ eventType }) => <code>{eventType}</code> },
  {
    title: texts.deliveries.endpoint,
    cell: ({ endpointId }) => (
      <Link to="/endpoints/$endpointId" params={{ endpointId }}>
        {endpointId}
      </Link>
    ),
  },
  { title: texts.deliveries.attempts, cell: ({ attempts }) => attempts },
  {
    title: texts.deliveries.response,
    cell: ({ lastAttempt }) => lastAttempt?.httpStatus ?? lastAttempt?.failureReason ?? '',
  },
];

/** The deliveries of all endpoints. The filters are part of the address, so that a view can be shared. */
export function DeliveriesPage() {
  const filter = useSearch({ from: '/deliveries' });
  const navigate = useNavigate();
  const list = useList<Delivery>({
    key: ['deliveries', filter],
    fetchPage: (client, page) =>
      client.get('/webhooks/deliveries', { params: { query: { ...queryOf(filter), ...page } } }),
  });
  return (
    <>
      <PageHead title={texts.deliveries.title} />
      <DeliveryFilters
        filter={filter}
        onChange={(changed) => void navigate({ to: '/deliveries', search: changed, replace: true })}
      />
      <ListTable
        label={texts.deliveries.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ deliveryId }) => deliveryId}
        empty={
          <EmptyState title={texts.deliveries.empty}>
            <p>{texts.deliveries.emptyHint}</p>
          </EmptyState>
        }
      />
    </>
  );
}
