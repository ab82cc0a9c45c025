import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Queried } from '../ui/queried.js';
import { AttemptItem } from './attempt-item.js';
import styles from './attempt-timeline.module.css';

type Delivery = components['schemas']['Delivery'];

/** Every attempt with its request and response. A new attempt changes the delivery, which loads the list again. */
export function AttemptTimeline({ delivery }: { readonly delivery: Delivery }) {
  const { deliveryId, attempts, status } = delivery;
  const client = useClient();
  const query = useQuery({
    queryKey: ['attempts', client, deliveryId, attempts, status],
    queryFn: () =>
      client.get('/webhooks/deliveries/{deliveryId}/attempts', { params: { path: { deliveryId } } }),
    placeholderData: (previous) => previous,
  });
  return (
    <Queried query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{texts.delivery.noAttempts}</p>
        ) : (
          <ol className={styles.timeline}>
            {items.map((attempt) => (
              <AttemptItem
                key={attempt.ordinal}
                attempt={attempt}
                delivery={delivery}
                longestMs={Math.max(...items.map(({ durationMs }) => durationMs ?? 0))}
              />
            ))}
          </ol>
        )
      }
    </Queried>
  );
}
