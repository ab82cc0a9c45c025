import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reasonText } from '../deliveries/failure-text.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import styles from './overview.module.css';

type FailureReason = components['schemas']['FailureReason'];

/** Those of attempts: what was held or given up otherwise does not show why the receiver fails. */
const OF_ATTEMPTS = (Object.keys(texts.failureReasons) as FailureReason[]).filter(
  (reason) => reason !== 'endpoint_disabled' && reason !== 'endpoint_deleted',
);
const REFRESH_MS = 30_000;

/** The newest delivery to an endpoint that failed: when it was last attempted, and why it failed. */
export function LastFailure({ endpointId }: { readonly endpointId: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['last-failure', endpointId],
    queryFn: () =>
      client.get('/webhooks/deliveries', {
        params: { query: { endpointId, failureReason: OF_ATTEMPTS.join(','), limit: 1 } },
      }),
    refetchInterval: REFRESH_MS,
  });
  const delivery = data?.items[0];
  if (delivery === undefined) return null;
  const { deliveryId, lastAttempt, createdAt } = delivery;
  const httpStatus = lastAttempt?.httpStatus ?? null;
  return (
    <p className={styles.calm}>
      {texts.overview.lastFailure}{' '}
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={lastAttempt?.attemptedAt ?? createdAt} />
      </Link>
      {': '}
      {httpStatus !== null && `HTTP ${httpStatus}. `}
      {reasonText(delivery)}
    </p>
  );
}
