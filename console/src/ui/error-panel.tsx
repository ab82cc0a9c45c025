import { PostriderError } from '@postrider/client';
import { use } from 'react';
import { texts } from '../texts/en.js';
import { Button } from './button.js';
import { classNames } from './class-names.js';
import { describeError } from './describe-error.js';
import { IsLinkSession, LinkEnded } from './link-ended.js';
import styles from './panel.module.css';

interface ErrorPanelProps {
  readonly error: unknown;
  /** Offers to repeat the request. */
  readonly onRetry?: (() => void) | undefined;
  /** Offers to remove the message. */
  readonly onDismiss?: (() => void) | undefined;
}

export function ErrorPanel({ error, onRetry, onDismiss }: ErrorPanelProps) {
  const isEnd = use(IsLinkSession) && error instanceof PostriderError && error.is('Unauthorized');
  const { title, detail, traceId } = describeError(isEnd ? new LinkEnded() : error);
  return (
    <div role="alert" className={classNames(styles.panel, styles.message, styles.bad)}>
      <strong>{title}</strong>
      {detail !== title && <p>{detail}</p>}
      {traceId !== null && (
        <p className={styles.subtitle}>
          {texts.errors.traceId} <code>{traceId}</code>
        </p>
      )}
      {(onRetry ?? onDismiss) !== undefined && (
        <div className={styles.actions}>
          {onRetry !== undefined && <Button onPress={onRetry}>{texts.actions.retry}</Button>}
          {onDismiss !== undefined && (
            <Button look="quiet" onPress={onDismiss}>
              {texts.actions.close}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
