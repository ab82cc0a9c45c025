import type { components } from '@postrider/client';
import { useState } from 'react';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { formatMs } from '../ui/format-ms.js';
import { TextBlock } from '../ui/text-block.js';
import { Time } from '../ui/time.js';
import styles from './attempt-timeline.module.css';
import { failureText } from './failure-text.js';
import { isBookkeeping } from './is-bookkeeping.js';
import { SentRequest } from './sent-request.js';
import { Waterfall } from './waterfall.js';

type Attempt = components['schemas']['DeliveryAttempt'];

interface AttemptItemProps {
  readonly attempt: Attempt;
  /** Absent while it is loaded. */
  readonly delivery: components['schemas']['Delivery'] | undefined;
  /** Whether no request followed it. */
  readonly isLast: boolean;
  /** The duration of the longest attempt of the delivery. */
  readonly longestMs: number;
}

const TONES = { delivered: 'good', failed: 'warn', failed_permanent: 'bad', dead_lettered: 'bad' } as const;

export function AttemptItem({ attempt, delivery, isLast, longestMs }: AttemptItemProps) {
  const { ordinal, status, httpStatus, failureReason, attemptedAt, durationMs, remoteAddress } = attempt;
  const [isRequestOpen, setRequestOpen] = useState(false);
  const isEnd = isBookkeeping(attempt);
  return (
    <li className={styles.attempt} data-status={status}>
      <div className={styles.line}>
        <strong>{isEnd ? texts.delivery.end : texts.delivery.attempt(ordinal)}</strong>
        <Badge tone={TONES[status]}>
          {httpStatus === null ? texts.delivery.outcomes[status] : `HTTP ${httpStatus}`}
        </Badge>
        <Time at={attemptedAt} />
        {durationMs !== null && <span>{formatMs(durationMs)}</span>}
        {remoteAddress !== null && <code className={styles.address}>{remoteAddress}</code>}
      </div>
      {failureReason !== null && <p>{failureText({ ...attempt, failureReason })}</p>}
      {isEnd ? (
        <p className={styles.address}>{texts.delivery.bookkeeping}</p>
      ) : (
        <>
          <Waterfall attempt={attempt} longestMs={longestMs} />
          <details onToggle={({ currentTarget }) => setRequestOpen(currentTarget.open)}>
            <summary>{texts.delivery.request}</summary>
            {isRequestOpen && delivery !== undefined && <SentRequest attempt={attempt} delivery={delivery} />}
          </details>
          <Response body={attempt.responseBody} startsOpen={isLast && status !== 'delivered'} />
        </>
      )}
    </li>
  );
}

interface ResponseProps {
  readonly body: string | null;
  /** Whether it says why the delivery has not arrived. Later attempts do not close it. */
  readonly startsOpen: boolean;
}

/** The response is text from the receiver and is shown as text only. */
function Response({ body, startsOpen }: ResponseProps) {
  const [isOpen, setOpen] = useState(startsOpen && Boolean(body));
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.delivery.responseBody}</summary>
      {body === null ? (
        <p>{texts.delivery.noResponseBody}</p>
      ) : body === '' ? (
        <p>{texts.delivery.emptyResponseBody}</p>
      ) : (
        <TextBlock>{body}</TextBlock>
      )}
    </details>
  );
}
