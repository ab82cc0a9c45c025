import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { Queried } from '../ui/queried.js';
import { withGiven } from '../ui/with-given.js';

interface EndpointChoiceProps {
  readonly value: string;
  onChange(endpointId: string): void;
}

/** A portal link is limited to at most a hundred endpoints. */
const PAGE_LIMIT = 200;

/** One of the endpoints of a portal link that is limited to some: a replay for it names one. */
export function EndpointChoice({ value, onChange }: EndpointChoiceProps) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['endpoints', 'of-link'],
    queryFn: () => client.get('/webhooks', { params: { query: { limit: PAGE_LIMIT } } }),
  });
  return (
    <Queried query={query}>
      {({ items }) => (
        <Choice
          label={texts.replays.endpoint}
          value={value}
          options={withGiven(value, [
            { value: '', label: texts.replays.chooseEndpoint },
            ...items.map(({ id, url }) => ({ value: id, label: url })),
          ])}
          onChange={onChange}
        />
      )}
    </Queried>
  );
}
