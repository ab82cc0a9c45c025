import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import type { EndpointProps } from './show-endpoint.js';
import { useChangeEndpoint } from './use-change-endpoint.js';

/** Enables a disabled endpoint, and disables an enabled one. */
export function EnableButton({ endpoint: { id, enabled } }: EndpointProps) {
  const { mutate, error, isPending } = useChangeEndpoint(id);
  return (
    <>
      <Button isDisabled={isPending} onPress={() => mutate({ enabled: !enabled })}>
        {enabled ? texts.endpoints.disable : texts.endpoints.enable}
      </Button>
      {error !== null && <ErrorPanel error={error} />}
    </>
  );
}
