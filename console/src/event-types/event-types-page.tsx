import type { components } from '@postrider/client';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import type { Column } from '../ui/data-table.js';
import { ListPage } from '../ui/list-page.js';
import { PublishSampleButton } from './publish-sample-button.js';
import { SchemaButton } from './schema-button.js';

type EventType = components['schemas']['EventTypeInfo'];

const COLUMNS: readonly Column<EventType>[] = [
  { title: texts.eventTypes.name, cell: ({ name }) => <code>{name}</code> },
  { title: texts.eventTypes.description, grows: true, wraps: true, cell: ({ description }) => description },
  {
    title: texts.eventTypes.origin,
    cell: ({ builtIn, deprecated }) => (
      <>
        <Badge tone="neutral">{builtIn ? texts.eventTypes.builtIn : texts.eventTypes.custom}</Badge>{' '}
        {deprecated && <Badge tone="warn">{texts.eventTypes.deprecated}</Badge>}
      </>
    ),
  },
  {
    title: texts.actions.column,
    cell: (eventType) => (
      <>
        <SchemaButton eventType={eventType} />
        <PublishSampleButton eventType={eventType} />
      </>
    ),
  },
];

export function EventTypesPage() {
  const list = useList<EventType>({
    key: ['event-type-list'],
    fetchPage: (client, query) => client.get('/event-types', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.eventTypes.title}
      subtitle={texts.eventTypes.subtitle}
      columns={COLUMNS}
      list={list}
      keyOf={({ name }) => name}
      empty={texts.eventTypes.empty}
    />
  );
}
