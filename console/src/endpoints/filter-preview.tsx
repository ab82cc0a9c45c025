import type { components } from '@postrider/client';
import type { EventFilter } from '@postrider/shared/domain/event-filter';
import { compileFilter } from '@postrider/shared/domain/match-filter';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import styles from './filter-preview.module.css';
import { subscribedEvents } from './recent-events.js';

interface FilterPreviewProps {
  /** Has no mistakes. */
  readonly filter: EventFilter;
  readonly eventTypes: readonly string[];
}

const LIMIT = 100;
const MAX_SHOWN = 10;

/** Which of the latest events the filter would deliver. */
export function FilterPreview({ filter, eventTypes }: FilterPreviewProps) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['recent-deliveries'],
    queryFn: () => client.get('/webhooks/deliveries', { params: { query: { limit: LIMIT } } }),
  });
  const match = useMemo(() => compileFilter(filter), [filter]);
  return (
    <section aria-label={texts.options.preview} className={styles.preview}>
      <Queried query={query}>
        {({ items }) => {
          const events = subscribedEvents(items, eventTypes);
          if (events.length === 0) return <p>{texts.options.noEvents}</p>;
          const matching = events.filter(({ payload }) => match(payload).matches);
          return (
            <>
              <p>{texts.options.matching(matching.length, events.length)}</p>
              <ul>
                {events.slice(0, MAX_SHOWN).map((event) => (
                  <PreviewItem key={event.eventId} event={event} isMatch={matching.includes(event)} />
                ))}
              </ul>
            </>
          );
        }}
      </Queried>
    </section>
  );
}

interface PreviewItemProps {
  readonly event: components['schemas']['Delivery'];
  readonly isMatch: boolean;
}

function PreviewItem({ event: { eventType, createdAt }, isMatch }: PreviewItemProps) {
  return (
    <li>
      <Badge tone={isMatch ? 'good' : 'neutral'}>
        {isMatch ? texts.options.delivered : texts.options.leftOut}
      </Badge>
      <code>{eventType}</code>
      <Time at={createdAt} />
    </li>
  );
}
