import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';

/** Stops a job. What it has replayed stays replayed. */
export function CancelJobButton({ job }: { readonly job: components['schemas']['ReplayJob'] }) {
  const { jobId, dryRun } = job;
  const client = useClient();
  const queries = useQueryClient();
  const mayCancel = useMay('replay_job:cancel');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.post('/webhooks/replay-jobs/{jobId}/cancel', { params: { path: { jobId } } }),
    onSuccess: async (cancelled) => {
      const queryKey = ['replay-job', jobId];
      // A state that was asked for before could arrive afterwards.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, cancelled);
    },
  });
  if (!mayCancel) return null;
  return (
    <>
      <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
        {dryRun ? texts.replays.cancelCount : texts.replays.cancel}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
