import { PostriderError } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { formatMs } from '../ui/format-ms.js';
import { Panel } from '../ui/panel.js';
import { Time } from '../ui/time.js';
import type { LiveOutcome } from './live-outcomes.js';
import styles from './overview.module.css';
import { useLiveOutcomes } from './use-live-outcomes.js';

/** Outcomes as they happen, with a pause. */
export function LivePanel() {
  const [isPaused, setPaused] = useState(false);
  const { outcomes, error } = useLiveOutcomes(isPaused);
  if (error instanceof PostriderError && error.is('StreamsDisabled')) return null;
  return (
    <Panel
      title={texts.live.title}
      actions={
        <Button onPress={() => setPaused(!isPaused)}>
          {isPaused ? texts.live.resume : texts.live.pause}
        </Button>
      }
    >
      {error !== null && <ErrorPanel error={error} />}
      {outcomes.length === 0 ? (
        <p className={styles.calm}>{isPaused ? texts.live.paused : texts.live.waiting}</p>
      ) : (
        <ul className={styles.live}>
          {outcomes.map((outcome) => (
            <LiveItem key={outcome.key} outcome={outcome} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

const TONES = { delivered: 'good', failed: 'warn', failed_permanent: 'bad', dead_lettered: 'bad' } as const;

function LiveItem({ outcome }: { readonly outcome: LiveOutcome }) {
  const { deliveryId, status, eventType, httpStatus, durationMs, at } = outcome;
  return (
    <li className={styles.line}>
      <Badge tone={status === 'pending' ? 'neutral' : TONES[status]}>
        {texts.deliveries.statuses[status]}
      </Badge>
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={at} />
      </Link>
      <code>{eventType}</code>
      {httpStatus !== null && <span>HTTP {httpStatus}</span>}
      {durationMs !== null && <span>{formatMs(durationMs)}</span>}
    </li>
  );
}
