import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { isReplayable } from './is-replayable.js';

/** Replays the delivery and opens the new one, unless the page was left before. */
export function ReplayButton({ delivery }: { readonly delivery: components['schemas']['Delivery'] }) {
  const { deliveryId } = delivery;
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayReplay = useMay('webhook:replay');
  const { mutate, error, isPending, isSuccess } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/deliveries/{deliveryId}/replay', { params: { path: { deliveryId }, header } }),
    // Its page names the replay.
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['delivery', deliveryId] }),
  });
  const replay = () =>
    mutate(undefined, {
      onSuccess: (created) =>
        void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId: created.deliveryId } }),
    });
  if (!mayReplay || !isReplayable(delivery)) return null;
  return (
    <>
      <Button look="primary" isDisabled={isPending || isSuccess} onPress={replay}>
        {texts.delivery.replay}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
