import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

/** Enables the endpoint and opens the job that sends what was held, unless the page was left before. */
export function ReplayHeldButton({ endpoint }: EndpointProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        {texts.held.replay}
      </Button>
      {isOpen && <ReplayHeldDialog endpoint={endpoint} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ReplayHeldDialogProps extends EndpointProps {
  onClose(): void;
}

/** Stays open until the answer is known. */
function ReplayHeldDialog({ endpoint: { id, heldDeliveries }, onClose }: ReplayHeldDialogProps) {
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
    <Dialog title={texts.held.replay} onClose={isPending ? null : onClose}>
      <p>{texts.held.count(heldDeliveries)}</p>
      <p>{texts.held.confirmHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <Button look="primary" isDisabled={isPending} onPress={replay}>
        {texts.replays.confirm(heldDeliveries)}
      </Button>
    </Dialog>
  );
}
