import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Panel } from '../ui/panel.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

/** What a disabled endpoint has not been sent, and the way to send it. */
export function HeldPanel({ endpoint }: EndpointProps) {
  const { id, enabled, heldDeliveries, missedDeliveries } = endpoint;
  const mayReplay = useMay('webhook:update');
  if (enabled || heldDeliveries === 0) return null;
  return (
    <Panel title={texts.held.title} actions={mayReplay && <ReplayHeldButton endpoint={endpoint} />}>
      <p>{texts.held.count(heldDeliveries)}</p>
      {missedDeliveries > 0 && <p>{texts.held.missed(missedDeliveries)}</p>}
      <Link to="/deliveries" search={{ endpointId: id, failureReason: 'endpoint_disabled' }}>
        {texts.held.show}
      </Link>
    </Panel>
  );
}

/** Enables the endpoint and opens the job that sends what was held. */
function ReplayHeldButton({ endpoint: { id, heldDeliveries } }: EndpointProps) {
  const client = useClient();
  const navigate = useNavigate();
  const show = useShowEndpoint();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: id } },
        body: { enabled: true, replayHeld: true },
      }),
    onSuccess: async ({ replayJobId, ...changed }) => {
      show(changed);
      if (replayJobId !== undefined) {
        await navigate({ to: '/replays/$jobId', params: { jobId: replayJobId } });
      }
    },
  });
  return (
    <DialogButton look="primary" label={texts.held.replay} title={texts.held.replay}>
      <p>{texts.held.count(heldDeliveries)}</p>
      <p>{texts.held.confirmHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <Button look="primary" isDisabled={isPending} onPress={() => mutate()}>
        {texts.replays.confirm(heldDeliveries)}
      </Button>
    </DialogButton>
  );
}
