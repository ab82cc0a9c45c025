import type { components } from '@postrider/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { failureText } from '../deliveries/failure-text.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { TextBlock } from '../ui/text-block.js';
import styles from './first-steps.module.css';

type Delivery = components['schemas']['Delivery'];

interface TestStepProps {
  readonly endpoint: components['schemas']['Webhook'];
  /** The same function in each render: it is called when it changes, too. */
  readonly onDelivered: () => void;
}

/** A test event is read again until it has a result. */
const REFRESH_MS = 1_000;

/** Sends a test event and shows what the receiver responded. */
export function TestStep({ endpoint: { id }, onDelivered }: TestStepProps) {
  const client = useClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      client.post('/webhooks/{endpointId}/test-event', { params: { path: { endpointId: id } } }),
  });
  const deliveryId = data?.deliveryId ?? '';
  const { data: delivery } = useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: () => client.get('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } } }),
    enabled: deliveryId !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'delivered' ? false : REFRESH_MS),
  });
  const isDelivered = delivery?.status === 'delivered';
  useEffect(() => {
    if (isDelivered) onDelivered();
  }, [isDelivered, onDelivered]);
  return (
    <>
      <p>{texts.firstSteps.testHint}</p>
      <div>
        <Button look={isDelivered ? 'plain' : 'primary'} isDisabled={isPending} onPress={() => mutate()}>
          {texts.endpoints.sendTest}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
      {delivery !== undefined && <TestResult delivery={delivery} />}
    </>
  );
}

function TestResult({ delivery }: { readonly delivery: Delivery }) {
  const { deliveryId, lastAttempt, status } = delivery;
  const tone = status === 'delivered' ? 'good' : status === 'pending' ? 'neutral' : 'bad';
  return (
    <div role="status" className={styles.content}>
      <div className={styles.line}>
        <Badge tone={tone}>{texts.deliveries.statuses[status]}</Badge>
        {typeof lastAttempt?.httpStatus === 'number' && <span>HTTP {lastAttempt.httpStatus}</span>}
        <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
          {texts.firstSteps.details}
        </Link>
      </div>
      {lastAttempt?.failureReason && (
        <p>{failureText({ ...lastAttempt, failureReason: lastAttempt.failureReason })}</p>
      )}
      {lastAttempt?.responseBody && <TextBlock>{lastAttempt.responseBody}</TextBlock>}
    </div>
  );
}
