import { originOf } from '@postrider/shared/domain/endpoint';
import { updateEndpoint } from '../domain/update-endpoint.js';
import { noChange } from '../ports/unit-of-work.js';
import type { AuditContext } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';

type Context = Pick<AuditContext, 'workspace' | 'actor' | 'source'>;

/** Enables an endpoint that failures have disabled, and no other. @returns whether it was */
export function enableAfterFailures({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (context: Context, endpointId: string): Promise<boolean> =>
    mutate({ idempotency: null }, async (tx) => {
      const at = clock.now();
      const before = await tx.endpoints.find(context.workspace.id, endpointId);
      if (before === null || before.deletedAt !== null || before.disabledReason !== 'consecutive_failures')
        return noChange(false);
      const { endpoint, streak } = updateEndpoint(before, { enabled: true }, at);
      await tx.endpoints.save(endpoint);
      const entry = auditEntry(context, newId, {
        action: 'webhook_endpoint.enabled',
        target: { type: 'endpoint', id: endpointId },
        metadata: { origin: originOf(endpoint.url) },
        at,
        streak,
      });
      return { result: true, audit: [entry], outbox: [] };
    });
}
