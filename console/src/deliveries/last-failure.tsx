import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pollEvery } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import styles from './deliveries.module.css';
import { FAILED_ATTEMPTS } from './failed-attempts.js';
import { reasonText } from './failure-text.js';

const REFRESH_MS = 30_000;

/** The newest delivery to an endpoint whose last attempt failed: when that was, and why. */
export function LastFailure({ endpointId }: { readonly endpointId: string }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['last-failure', endpointId],
    queryFn: () =>
      client.get('/webhooks/deliveries', {
        params: { query: { endpointId, lastFailureReason: FAILED_ATTEMPTS, limit: 1 } },
      }),
    refetchInterval: pollEvery(REFRESH_MS),
  });
  const delivery = data?.items[0];
  if (delivery === undefined) return null;
  const { deliveryId, lastAttempt, createdAt } = delivery;
  const httpStatus = lastAttempt?.httpStatus ?? null;
  return (
    <p className={styles.lastFailure}>
      {texts.delivery.lastFailure}{' '}
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={lastAttempt?.attemptedAt ?? createdAt} />
      </Link>
      {': '}
      {httpStatus !== null && `HTTP ${httpStatus}. `}
      {reasonText(delivery)}
    </p>
  );
}
