import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { JsonView } from '../ui/json-view.js';
import { Queried } from '../ui/queried.js';
import { TextBlock } from '../ui/text-block.js';
import { Time } from '../ui/time.js';
import styles from './attempt-timeline.module.css';

type Attempt = components['schemas']['DeliveryAttempt'];

interface AttemptTimelineProps {
  readonly delivery: Pick<components['schemas']['Delivery'], 'deliveryId' | 'attempts' | 'status'>;
}

/** Every attempt with its response. A new attempt changes the delivery, which loads the list again. */
export function AttemptTimeline({ delivery: { deliveryId, attempts, status } }: AttemptTimelineProps) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['attempts', client, deliveryId, attempts, status],
    queryFn: () =>
      client.get('/webhooks/deliveries/{deliveryId}/attempts', { params: { path: { deliveryId } } }),
  });
  return (
    <Queried query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <p>{texts.delivery.noAttempts}</p>
        ) : (
          <ol className={styles.timeline}>
            {items.map((attempt) => (
              <AttemptItem key={attempt.ordinal} attempt={attempt} />
            ))}
          </ol>
        )
      }
    </Queried>
  );
}

function AttemptItem({ attempt }: { readonly attempt: Attempt }) {
  const { ordinal, status, httpStatus, failureReason, attemptedAt, durationMs } = attempt;
  const isBookkeeping = durationMs === null && httpStatus === null;
  return (
    <li className={styles.attempt}>
      <div className={styles.line}>
        <strong>{texts.delivery.attempt(ordinal)}</strong>
        <Badge tone={status === 'delivered' ? 'good' : status === 'failed' ? 'warn' : 'bad'}>
          {httpStatus === null ? texts.deliveries.statuses[status] : `HTTP ${httpStatus}`}
        </Badge>
        <Time at={attemptedAt} />
        {durationMs !== null && <span>{texts.delivery.duration(durationMs)}</span>}
      </div>
      {failureReason !== null && <p>{texts.failureReasons[failureReason]}</p>}
      {isBookkeeping ? <p>{texts.delivery.bookkeeping}</p> : <Exchange attempt={attempt} />}
    </li>
  );
}

/** The response is text from the receiver and is shown as text only. */
function Exchange({ attempt: { requestHeaders, responseBody } }: { readonly attempt: Attempt }) {
  return (
    <>
      <details>
        <summary>{texts.delivery.request}</summary>
        <JsonView value={requestHeaders} />
      </details>
      <details>
        <summary>{texts.delivery.responseBody}</summary>
        {responseBody === null ? (
          <p>{texts.delivery.noResponseBody}</p>
        ) : (
          <TextBlock>{responseBody}</TextBlock>
        )}
      </details>
    </>
  );
}
