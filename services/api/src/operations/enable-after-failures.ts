import { originOf } from '@postrider/shared/domain/endpoint';
import type { ReplayJobId } from '@postrider/shared/domain/id';
import { updateEndpoint } from '../domain/update-endpoint.js';
import { noChange } from '../ports/unit-of-work.js';
import type { AuditContext } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { startHeldReplay } from './replay-held.js';

/** What happens to the deliveries that were held while the endpoint was disabled. */
export type HeldChoice = 'replay' | 'keep';

interface Enabled {
  /** Null unless the held deliveries are replayed. */
  readonly replayJobId: ReplayJobId | null;
}

/**
 * Enables an endpoint that failures have disabled, and no other. The job that replays its held deliveries belongs to the
 * system: it does not count among the active jobs of the workspace.
 *
 * @returns null if it was not disabled by failures
 */
export function enableAfterFailures({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (context: AuditContext, endpointId: string, held: HeldChoice): Promise<Enabled | null> =>
    mutate<Enabled | null>({ idempotency: null }, async (tx) => {
      const at = clock.now();
      const before = await tx.endpoints.find(context.workspace.id, endpointId);
      if (before === null || before.deletedAt !== null || before.disabledReason !== 'consecutive_failures')
        return noChange(null);
      const { endpoint, streak } = updateEndpoint(before, { enabled: true }, at);
      await tx.endpoints.save(endpoint);
      const entry = auditEntry(context, newId, {
        action: 'webhook_endpoint.enabled',
        target: { type: 'endpoint', id: endpointId },
        metadata: { origin: originOf(endpoint.url) },
        at,
        streak,
      });
      if (held === 'keep') return { result: { replayJobId: null }, audit: [entry], outbox: [] };
      const jobId = newId('replayJob', at);
      const ensureJob = async () => {};
      const { replayJobId, audit } = await startHeldReplay(context, newId, {
        tx,
        before,
        at,
        jobId,
        ensureJob,
      });
      return { result: { replayJobId }, audit: [entry, audit], outbox: [] };
    });
}
