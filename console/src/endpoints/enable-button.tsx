import { useMutation } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { type EndpointProps, useShowEndpoint } from './show-endpoint.js';

/** Enables a disabled endpoint, and disables an enabled one. */
export function EnableButton({ endpoint: { id, enabled } }: EndpointProps) {
  const client = useClient();
  const show = useShowEndpoint();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.patch('/webhooks/{endpointId}', {
        params: { path: { endpointId: id } },
        body: { enabled: !enabled },
      }),
    onSuccess: show,
  });
  return (
    <>
      <Button isDisabled={isPending} onPress={() => mutate()}>
        {enabled ? texts.endpoints.disable : texts.endpoints.enable}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
