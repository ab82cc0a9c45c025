import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { failureText } from '../deliveries/failure-text.js';
import { useDelivery } from '../deliveries/use-delivery.js';
import { SendingHolds } from '../holds/sending-holds.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Queried } from '../ui/queried.js';
import { TextBlock } from '../ui/text-block.js';
import styles from './first-steps.module.css';

type Delivery = components['schemas']['Delivery'];

interface TestStepProps {
  readonly endpoint: components['schemas']['Webhook'];
  /** Of the test event that was sent last. */
  readonly deliveryId: string | undefined;
  onSent(deliveryId: string): void;
  /** The same function in each render: it is called when it changes, too. Null once it was called. */
  readonly onDelivered: (() => void) | null;
}

/** A test event is read again until it has ended. */
const REFRESH_MS = 1_000;

/** Sends a test event and shows what the receiver responded. */
export function TestStep({ endpoint: { id }, deliveryId, onSent, onDelivered }: TestStepProps) {
  const client = useClient();
  const { mutate, error, isPending } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/{endpointId}/test-event', { params: { path: { endpointId: id }, header } }),
  });
  const query = useDelivery(deliveryId, REFRESH_MS);
  const isDelivered = query.data?.status === 'delivered';
  useEffect(() => {
    if (isDelivered) onDelivered?.();
  }, [isDelivered, onDelivered]);
  const send = () => mutate(undefined, { onSuccess: (sent) => onSent(sent.deliveryId) });
  return (
    <>
      <SendingHolds holds={query.data?.sendingHolds} />
      <p>{texts.firstSteps.testHint}</p>
      <div>
        <Button look={onDelivered === null ? 'plain' : 'primary'} isDisabled={isPending} onPress={send}>
          {texts.endpoints.sendTest}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
      {deliveryId !== undefined && (
        <Queried query={query}>{(delivery) => <TestResult delivery={delivery} />}</Queried>
      )}
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
