import { originOf } from '@postrider/shared/domain/endpoint';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';

/** Soft-deletes an endpoint: erases secrets and headers at once, also in stored responses. Deliveries stay until they expire. */
export function deleteWebhook({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, call.workspace.id, endpointId);
      await tx.endpoints.save({ ...endpoint, secrets: null, headers: null, deletedAt: at });
      await tx.storedResults.removeSecretsOf(endpointId);
      const entry = auditEntry(call, newId, {
        action: 'webhook_endpoint.deleted',
        target: { type: 'endpoint', id: endpointId },
        metadata: { origin: originOf(endpoint.url) },
        at,
      });
      return { result: undefined, audit: [entry], outbox: [] };
    });
}
