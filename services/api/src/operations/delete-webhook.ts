import { originOf } from '@postrider/shared/domain/endpoint';
import { Refusal } from '../domain/refusal.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'endpoints' | 'storedSecrets'>;

/** Soft-deletes an endpoint: erases secrets and headers at once, also in stored responses. Deliveries stay until they expire. */
export function deleteWebhook({ mutate, clock, newId, endpoints, storedSecrets }: Needs) {
  return async (call: Call, { endpointId }: { endpointId: string }): Promise<void> => {
    const { id } = await findLiveEndpoint(endpoints, call.workspace.id, endpointId);
    // Whoever may rotate its secret could otherwise store so many responses that it cannot be deleted.
    if (!(await storedSecrets.removeMany(id))) throw tooMany();
    await mutate(call, async (tx) => {
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
  };
}

function tooMany(): Refusal {
  return new Refusal(
    'Unavailable',
    'Too many responses with secrets of the endpoint are stored to erase them at once. Repeat the request to erase the rest.',
  );
}
