import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import type { Column } from '../ui/data-table.js';
import filterStyles from '../ui/filter-bar.module.css';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { TextField } from '../ui/text-field.js';
import { type EndpointFilter, filterEndpoints } from './endpoint-filter.js';
import { EndpointState } from './endpoint-state.js';
import { ENDPOINT_STATES } from './endpoint-state-name.js';

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
  {
    title: texts.endpoints.held,
    cell: ({ heldDeliveries }) => heldDeliveries > 0 && heldDeliveries.toLocaleString(texts.language),
  },
  { title: texts.endpoints.eventTypes, cell: ({ eventTypes }) => eventTypes.join(', ') },
  { title: texts.endpoints.description, cell: ({ description }) => description },
];

export function EndpointsPage() {
  const mayCreate = useMay('webhook:create');
  const [filter, setFilter] = useState<EndpointFilter>({ text: '', state: '' });
  const { rows, ...list } = useList<Webhook>({
    key: ['endpoints'],
    fetchPage: (client, query) => client.get('/webhooks', { params: { query } }),
  });
  const found = useMemo(() => rows.data && filterEndpoints(rows.data, filter), [rows.data, filter]);
  const isFiltered = filter.text !== '' || filter.state !== '';
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
      columns={COLUMNS}
      list={{ ...list, rows: { ...rows, data: found } }}
      keyOf={({ id }) => id}
      empty={isFiltered ? texts.endpoints.noMatch : texts.endpoints.empty}
      emptyHint={isFiltered ? undefined : texts.endpoints.emptyHint}
    >
      {(rows.data?.length ?? 0) > 0 && <Filters filter={filter} onChange={setFilter} />}
    </ListPage>
  );
}

interface FiltersProps {
  readonly filter: EndpointFilter;
  onChange(filter: EndpointFilter): void;
}

/** Applied at once: what is loaded is filtered in the browser. */
function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className={filterStyles.fields}>
      <TextField
        label={texts.endpoints.search}
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
      <Choice
        label={texts.endpoints.state}
        value={filter.state}
        options={[
          { value: '', label: texts.endpoints.anyState },
          ...ENDPOINT_STATES.map((value) => ({ value, label: texts.endpoints.states[value] })),
        ]}
        onChange={(state) => onChange({ ...filter, state })}
      />
    </div>
  );
}
