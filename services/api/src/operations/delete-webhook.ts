import { originOf } from '@postrider/shared/domain/endpoint';
import { audited } from './audit.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-live.js';

/** Deletes an endpoint softly: its secrets are erased at once, its deliveries stay readable until they expire. */
export function deleteWebhook({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, call.workspace.id, endpointId);
      await tx.endpoints.save({ ...endpoint, secrets: null, deletedAt: at });
      const entry = audited(call, newId, {
        action: 'webhook_endpoint.deleted',
        target: { type: 'endpoint', id: endpointId },
        metadata: { origin: originOf(endpoint.url) },
        at,
      });
      return { answer: undefined, audit: [entry], outbox: [] };
    });
}
