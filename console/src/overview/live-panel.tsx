import { PostriderError, type StreamDisconnection } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { failureText } from '../deliveries/failure-text.js';
import { StatusBadge } from '../deliveries/status-badge.js';
import { EndpointLink } from '../endpoint-names/endpoint-link.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { describeError } from '../ui/describe-error.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { formatMs } from '../ui/format-ms.js';
import { Panel } from '../ui/panel.js';
import { Time } from '../ui/time.js';
import type { LiveLine } from './live-outcomes.js';
import styles from './overview.module.css';
import { useLiveOutcomes } from './use-live-outcomes.js';

/** Outcomes as they happen, with a pause. */
export function LivePanel() {
  const [isPaused, setPaused] = useState(false);
  const { lines, error, disconnection, retry } = useLiveOutcomes(isPaused);
  if (error instanceof PostriderError && error.is('StreamsDisabled')) return null;
  return (
    <Panel
      title={texts.live.title}
      actions={
        <Button
          onPress={() => {
            retry();
            setPaused(!isPaused);
          }}
        >
          {isPaused ? texts.live.resume : texts.live.pause}
        </Button>
      }
    >
      {error !== null && <ErrorPanel error={error} onRetry={retry} />}
      {disconnection !== null && <Reconnecting {...disconnection} />}
      {lines.length === 0 ? (
        (error ?? disconnection) === null && (
          <p className={styles.calm}>{isPaused ? texts.live.paused : texts.live.waiting}</p>
        )
      ) : (
        <ul className={styles.live}>
          {lines.map((line) => (
            <li key={line.key} className={styles.line}>
              {line.kind === 'gap' ? (
                <span className={styles.calm}>{texts.live.gap}</span>
              ) : (
                <Outcome delivery={line.delivery} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What is shown is of the past, until the stream is connected again. */
function Reconnecting({ error, lastContactAt }: StreamDisconnection) {
  return (
    <div role="status" className={styles.line}>
      <Badge tone="warn">{texts.live.reconnecting}</Badge>
      <span className={styles.calm}>
        {error !== null && describeError(error).title}
        {lastContactAt !== null && (
          <>
            {' '}
            {texts.live.lastContact} <Time at={lastContactAt.toISOString()} />
          </>
        )}
      </span>
    </div>
  );
}

function Outcome({ delivery }: Pick<Extract<LiveLine, { kind: 'outcome' }>, 'delivery'>) {
  const { deliveryId, endpointId, status, failureReason, eventType, httpStatus, durationMs, at } = delivery;
  return (
    <>
      <StatusBadge status={status} failureReason={failureReason} />
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={at} />
      </Link>
      <code>{eventType}</code>
      <EndpointLink endpointId={endpointId} />
      {httpStatus !== null && <span>HTTP {httpStatus}</span>}
      {durationMs !== null && <span>{formatMs(durationMs)}</span>}
      {failureReason !== null && (
        <span className={styles.calm}>{failureText({ failureReason, httpStatus })}</span>
      )}
    </>
  );
}
