import type { components } from '@postrider/client';
import { LastFailure } from '../deliveries/last-failure.js';
import { FailingSince } from './failing-since.js';
import { NextProbe } from './next-probe.js';

/** Since when an endpoint has failed, with what it failed last, and when it may recover. */
export function FailureFacts({ endpoint }: { readonly endpoint: components['schemas']['ListedWebhook'] }) {
  return (
    <>
      <FailingSince endpoint={endpoint} />
      <LastFailure endpointId={endpoint.id} />
      <NextProbe endpoint={endpoint} />
    </>
  );
}
