import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import formStyles from '../ui/form.module.css';
import { Queried } from '../ui/queried.js';
import { TextField } from '../ui/text-field.js';

interface EndpointsFieldProps {
  readonly value: readonly string[];
  onChange(value: string[]): void;
}

const MAX_LOADED = 200;
const MAX_SHOWN = 20;

/** The endpoints that a link shows. None chosen means all of the workspace. */
export function EndpointsField({ value, onChange }: EndpointsFieldProps) {
  const client = useClient();
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['endpoints', 'choice'],
    queryFn: () => client.get('/webhooks', { params: { query: { limit: MAX_LOADED } } }),
  });
  return (
    <Queried query={query}>
      {({ items }) => {
        const found = items.filter(
          ({ id, url }) => value.includes(id) || `${id} ${url}`.includes(search.trim()),
        );
        return (
          <div className={formStyles.form}>
            <CheckboxField
              label={texts.portalLinks.endpoints}
              value={value}
              options={found.slice(0, MAX_SHOWN).map(({ id, url }) => ({ value: id, label: url }))}
              onChange={onChange}
            />
            {items.length > MAX_SHOWN && (
              <TextField label={texts.portalLinks.search} value={search} onChange={setSearch} />
            )}
          </div>
        );
      }}
    </Queried>
  );
}
