import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { DialogOpener } from '../ui/dialog-opener.js';
import { ErrorPanel } from '../ui/error-panel.js';
import type { EndpointDialogProps, EndpointProps } from './show-endpoint.js';
import { useChangeEndpoint } from './use-change-endpoint.js';

/** Enables the endpoint and opens the job that sends what was held, if the token may read it and the page was not left before. */
export function ReplayHeldButton({ endpoint }: EndpointProps) {
  return (
    <DialogOpener look="primary" label={texts.held.replay}>
      {(close) => <ReplayHeldDialog endpoint={endpoint} onClose={close} />}
    </DialogOpener>
  );
}

/** Stays open until the answer is known. */
function ReplayHeldDialog({ endpoint: { id, heldDeliveries }, onClose }: EndpointDialogProps) {
  const navigate = useNavigate();
  const mayReadJobs = useMay('replay_job:list');
  const { mutate, error, isPending, isSuccess } = useChangeEndpoint(id);
  const replay = () =>
    mutate(
      { enabled: true, replayHeld: true },
      {
        onSuccess: ({ replayJobId }) => {
          if (replayJobId === undefined || !mayReadJobs) onClose();
          else void navigate({ to: '/replays/$jobId', params: { jobId: replayJobId } });
        },
      },
    );
  return (
    <Dialog title={texts.held.replay} onClose={isPending ? null : onClose}>
      <p>{texts.held.count(heldDeliveries)}</p>
      <p>{texts.held.confirmHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <Button look="primary" isDisabled={isPending || isSuccess} onPress={replay}>
        {texts.replays.confirm(heldDeliveries)}
      </Button>
    </Dialog>
  );
}
