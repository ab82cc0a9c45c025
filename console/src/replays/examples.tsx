import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reasonText } from '../deliveries/failure-text.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import { examplesOf } from './replay-draft.js';
import styles from './replays.module.css';

const COUNT = 5;

/** The newest deliveries of the set, and a link to all. */
export function Examples({ filter }: { readonly filter: components['schemas']['ReplayFilter'] }) {
  const client = useClient();
  const search = examplesOf(filter);
  const query = useQuery({
    queryKey: ['examples', search],
    queryFn: () => client.get('/webhooks/deliveries', { params: { query: { ...search, limit: COUNT } } }),
  });
  return (
    <>
      <h3>{texts.replays.examples}</h3>
      <Queried query={query}>
        {({ items }) => (
          <ul className={styles.examples}>
            {items.map(({ deliveryId, createdAt, eventType, ...reason }) => (
              <li key={deliveryId}>
                <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
                  <Time at={createdAt} />
                </Link>
                <code>{eventType}</code>
                <span>{reasonText(reason)}</span>
              </li>
            ))}
          </ul>
        )}
      </Queried>
      <Link to="/deliveries" search={search}>
        {texts.replays.showAll}
      </Link>
    </>
  );
}
