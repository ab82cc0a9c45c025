import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Queried } from '../ui/queried.js';
import { AttemptItem } from './attempt-item.js';
import styles from './attempt-timeline.module.css';
import { isBookkeeping } from './is-bookkeeping.js';
import { useAttempts } from './use-attempts.js';

interface AttemptTimelineProps {
  readonly deliveryId: string;
  /** Absent while it is loaded: the attempts are loaded at the same time. */
  readonly delivery: components['schemas']['Delivery'] | undefined;
}

/** Every attempt with its request and response. */
export function AttemptTimeline({ deliveryId, delivery }: AttemptTimelineProps) {
  const query = useAttempts(deliveryId, delivery);
  return (
    <Queried query={query}>
      {({ items }) => {
        const last = items.findLast((attempt) => !isBookkeeping(attempt));
        return items.length === 0 ? (
          <p>{texts.delivery.noAttempts}</p>
        ) : (
          <ol className={styles.timeline}>
            {items.map((attempt) => (
              <AttemptItem
                key={attempt.ordinal}
                attempt={attempt}
                delivery={delivery}
                isLast={attempt === last}
                longestMs={Math.max(...items.map(({ durationMs }) => durationMs ?? 0))}
              />
            ))}
          </ol>
        );
      }}
    </Queried>
  );
}
