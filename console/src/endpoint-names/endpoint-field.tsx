import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { TextField } from '../ui/text-field.js';
import { useSettled } from '../ui/use-settled.js';
import { endpointOfUrl, type Offer } from './endpoint-of-url.js';
import { searchEndpoints } from './search-endpoints.js';

interface EndpointFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | undefined;
  /** An id, or what is typed to find one. */
  readonly value: string;
  onChange(value: string): void;
}

const ID = /^whe_/;
const SETTLED_MS = 300;
const MAX_OFFERED = 20;
const NOTHING: Offer = { items: [], nextCursor: null };

/** Takes the id of an endpoint, and offers those whose URL, description or event types have what is typed. */
export function EndpointField({ description, value, onChange, ...field }: EndpointFieldProps) {
  const listId = useId();
  const [isTyping, setTyping] = useState(false);
  const client = useClient();
  const mayList = useMay('webhook:list');
  const isSearch = value !== '' && !ID.test(value);
  const text = useSettled(value, SETTLED_MS);
  const { data } = useQuery({
    queryKey: ['endpoints', 'offered', text],
    queryFn: ({ signal }) =>
      searchEndpoints(MAX_OFFERED, (page) =>
        client.get('/webhooks', { params: { query: { text, ...page } }, signal }),
      ),
    enabled: mayList && isSearch && text !== '',
  });
  const offer = (isSearch && data) || NOTHING;
  const meant = endpointOfUrl(value, offer, { isTyping });
  useEffect(() => {
    if (meant !== undefined) onChange(meant);
  }, [meant, onChange]);
  return (
    <>
      <TextField
        {...field}
        value={value}
        list={listId}
        placeholder={texts.endpoints.idHint}
        description={isSearch ? texts.endpoints.chooseHint : description}
        onChange={(typed) => {
          setTyping(true);
          onChange(typed);
        }}
        onBlur={() => setTyping(false)}
        onKeyDown={(event) => {
          // Submits the form, without a blur before.
          if (event.key === 'Enter') setTyping(false);
          event.continuePropagation();
        }}
      />
      <datalist id={listId}>
        {offer.items.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
      </datalist>
    </>
  );
}
