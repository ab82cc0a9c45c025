import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import type { EndpointProps } from './show-endpoint.js';

/**
 * Sends a test event and opens its delivery, unless the page was left before. The button stays disabled until then: the script
 * of the next page may still be loading.
 */
export function TestEventButton({ endpoint: { id, enabled } }: EndpointProps) {
  const client = useClient();
  const navigate = useNavigate();
  const { mutate, error, isPending, isSuccess } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/{endpointId}/test-event', { params: { path: { endpointId: id }, header } }),
  });
  const send = () =>
    mutate(undefined, {
      onSuccess: ({ deliveryId }) => void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId } }),
    });
  return (
    <>
      <Button isDisabled={!enabled || isPending || isSuccess} onPress={send}>
        {texts.endpoints.sendTest}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
