import type { components } from '@postrider/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { isSameFilter } from '../ui/is-same-filter.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';
import { TwoLines } from '../ui/two-lines.js';
import { AuditFilters } from './audit-filters.js';

type AuditEvent = components['schemas']['AuditEvent'];

const COLUMNS: readonly Column<AuditEvent>[] = [
  { title: texts.auditLog.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: texts.auditLog.action,
    grows: true,
    cell: ({ action, metadata }) => <TwoLines first={<code>{action}</code>} second={detailsOf(metadata)} />,
  },
  {
    title: texts.auditLog.actor,
    cell: ({ actor, source }) => (
      <TwoLines first={<code>{actor.id ?? texts.auditLog.system}</code>} second={source?.address} />
    ),
  },
  { title: texts.auditLog.target, grows: true, cell: ({ target }) => <Target target={target} /> },
];

function Target({ target: { type, id } }: Pick<AuditEvent, 'target'>) {
  return type === 'endpoint' ? <EndpointCell endpointId={id} /> : <code>{id}</code>;
}

function detailsOf(metadata: AuditEvent['metadata']) {
  const text = JSON.stringify(metadata);
  return text === '{}' ? '' : <code title={text}>{text}</code>;
}

/** The filters are part of the address, so that a view can be shared. */
export function AuditLogPage() {
  const filter = useSearch({ from: '/audit-log' });
  const navigate = useNavigate();
  const list = useList<AuditEvent>({
    key: ['audit-events', filter],
    fetchPage: (client, page) => client.get('/audit-events', { params: { query: { ...filter, ...page } } }),
  });
  return (
    <ListPage
      title={texts.auditLog.title}
      subtitle={texts.auditLog.subtitle}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.auditLog.empty}
    >
      <AuditFilters
        filter={filter}
        onChange={(changed) =>
          isSameFilter(changed, filter)
            ? list.restart()
            : void navigate({ to: '/audit-log', search: changed })
        }
      />
    </ListPage>
  );
}
