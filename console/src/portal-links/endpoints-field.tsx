import type { components } from '@postrider/client';
import { useState } from 'react';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import formStyles from '../ui/form.module.css';
import { LoadMore } from '../ui/load-more.js';
import { Queried } from '../ui/queried.js';
import { TextField } from '../ui/text-field.js';
import { useSettled } from '../ui/use-settled.js';
import { endpointQuery } from './endpoint-query.js';
import type { ChosenEndpoint } from './link-draft.js';

interface EndpointsFieldProps {
  readonly value: readonly ChosenEndpoint[];
  onChange(value: ChosenEndpoint[]): void;
}

/** Others are found by the search. */
const MAX_OTHERS = 20;
const SETTLED_MS = 300;

/** The endpoints that a link shows: the chosen ones first, then others that the search finds. */
export function EndpointsField({ value, onChange }: EndpointsFieldProps) {
  const [search, setSearch] = useState('');
  const text = useSettled(search.trim(), SETTLED_MS);
  const { rows, hasMore, isLoadingMore, loadMore } = useList<components['schemas']['ListedWebhook']>({
    key: ['endpoints', 'choice', text],
    fetchPage: (client, page) =>
      client.get('/webhooks', { params: { query: { ...page, ...endpointQuery(text) } } }),
  });
  const isChosen = (id: string) => value.some((chosen) => chosen.id === id);
  const others = (rows.data ?? []).filter(({ id }) => !isChosen(id));
  const shown = [...value, ...others.slice(0, MAX_OTHERS)];
  const hasHidden = others.length > MAX_OTHERS;
  return (
    <div className={formStyles.form}>
      <TextField
        label={texts.portalLinks.search}
        description={hasHidden ? texts.portalLinks.searchHint : undefined}
        value={search}
        onChange={setSearch}
        onKeyDown={(event) => {
          // It would create the link.
          if (event.key === 'Enter') event.preventDefault();
          else event.continuePropagation();
        }}
      />
      {shown.length > 0 && (
        <CheckboxField
          label={texts.portalLinks.chosen}
          value={value.map(({ id }) => id)}
          options={shown.map(({ id, url }) => ({ value: id, label: url }))}
          onChange={(ids) =>
            onChange(shown.flatMap(({ id, url }) => (ids.includes(id) ? [{ id, url }] : [])))
          }
        />
      )}
      <Queried query={rows}>
        {() =>
          hasMore && !hasHidden ? (
            <LoadMore isEmpty={others.length === 0} isLoading={isLoadingMore} onLoad={loadMore} />
          ) : (
            shown.length === 0 && <p role="status">{texts.endpoints.noMatch}</p>
          )
        }
      </Queried>
    </div>
  );
}
