import { newCheck } from '@postrider/shared/domain/conformance-check';
import { CHECK_WINDOW_MS, limitChecks } from '@postrider/shared/domain/limit-checks';
import type * as wire from '../contract/conformance-check.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature'>;

/** Stores a conformance check. The dispatcher that finds it first runs it. */
export function checkWebhookConformance({ mutate, clock, newId, requireFeature }: Needs) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<wire.StartedConformanceCheck> => {
    requireFeature('conformanceChecks');
    const workspaceId = call.workspace.id;
    return mutate(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, workspaceId, endpointId);
      refuseDisabled(endpoint);
      await refuseTooMany(tx, { workspaceId, endpointId, at });
      const check = newCheck({
        id: newId('conformanceCheck', at),
        workspaceId,
        endpointId: endpoint.id,
        traceId: call.traceId,
        startedAt: at,
      });
      await tx.conformanceChecks.insert(check);
      const entry = auditEntry(call, newId, {
        action: 'webhook.conformance_checked',
        target: { type: 'endpoint', id: endpointId },
        metadata: { checkId: check.id },
        at,
      });
      return { result: { checkId: check.id, status: check.status }, audit: [entry], outbox: [] };
    });
  };
}

interface Start {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly at: Date;
}

/** @throws Refusal `RateLimited` with the time after which another check may be started */
async function refuseTooMany(
  { workspaces, conformanceChecks }: Transaction,
  { workspaceId, endpointId, at }: Start,
): Promise<void> {
  await workspaces.guard(workspaceId);
  const recent = await conformanceChecks.startedSince(workspaceId, new Date(at.getTime() - CHECK_WINDOW_MS));
  const limited = limitChecks(recent, endpointId, at);
  if (limited === null) return;
  const { limit, of, afterMs } = limited;
  throw Refusal.tooMany(`${limit} conformance checks of this ${of} were started within an hour`, afterMs);
}
