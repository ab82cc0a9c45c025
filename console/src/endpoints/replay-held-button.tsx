import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

/** Enables the endpoint and opens the job that sends what was held, unless the page was left before. */
export function ReplayHeldButton({ endpoint: { id, heldDeliveries } }: EndpointProps) {
  const client = useClient();
  const navigate = useNavigate();
  const show = useShowEndpoint();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: id } },
        body: { enabled: true, replayHeld: true },
      }),
    onSuccess: ({ replayJobId: _, ...changed }) => show(changed),
  });
  const replay = () =>
    mutate(undefined, {
      onSuccess: ({ replayJobId }) => {
        if (replayJobId !== undefined)
          void navigate({ to: '/replays/$jobId', params: { jobId: replayJobId } });
      },
    });
  return (
    <DialogButton look="primary" label={texts.held.replay} title={texts.held.replay}>
      <p>{texts.held.count(heldDeliveries)}</p>
      <p>{texts.held.confirmHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <Button look="primary" isDisabled={isPending} onPress={replay}>
        {texts.replays.confirm(heldDeliveries)}
      </Button>
    </DialogButton>
  );
}
