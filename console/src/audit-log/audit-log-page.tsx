import type { components } from '@postrider/client';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';

type AuditEvent = components['schemas']['AuditEvent'];

const COLUMNS: readonly Column<AuditEvent>[] = [
  { title: texts.auditLog.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: texts.auditLog.action, cell: ({ action }) => <code>{action}</code> },
  { title: texts.auditLog.actor, cell: ({ actor }) => actor.id ?? texts.auditLog.system },
  { title: texts.auditLog.target, cell: ({ target }) => target.id },
  { title: texts.auditLog.details, cell: ({ metadata }) => <code>{JSON.stringify(metadata)}</code> },
];

export function AuditLogPage() {
  const list = useList<AuditEvent>({
    key: ['audit-events'],
    fetchPage: (client, query) => client.get('/audit-events', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.auditLog.title}
      subtitle={texts.auditLog.subtitle}
      columns={COLUMNS}
      list={list}
      keyOf={({ id }) => id}
      empty={texts.auditLog.empty}
    />
  );
}
