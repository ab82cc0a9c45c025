import { newCheck } from '@postrider/shared/domain/conformance-check';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { CHECK_WINDOW_MS, limitChecks } from '@postrider/shared/domain/limit-checks';
import type * as wire from '../contract/conformance-check.js';
import { Refusal } from '../domain/refusal.js';
import { UndecidedPlace } from '../ports/places.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature' | 'places'>;

/** Stores a conformance check. The dispatcher that finds it first runs it. */
export function checkWebhookConformance(deps: Needs) {
  const { mutate, clock, newId, requireFeature, places } = deps;
  return async (
    call: Call,
    { endpointId }: { endpointId: string },
  ): Promise<wire.StartedConformanceCheck> => {
    requireFeature('conformanceChecks');
    const workspaceId = call.workspace.id;
    const id = newId('conformanceCheck', clock.now());
    return places.hold({ id, workspaceId, kind: 'conformanceChecks' }, ({ ahead }) =>
      mutate(call, async (tx) => {
        const at = clock.now();
        const endpoint = await findLiveEndpoint(tx.endpoints, workspaceId, endpointId);
        refuseDisabled(endpoint);
        await refuseTooMany(tx, { workspaceId, endpointId: endpoint.id, ahead, at });
        const check = newCheck({
          id,
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
      }),
    );
  };
}

interface Start {
  readonly workspaceId: string;
  readonly endpointId: Endpoint['id'];
  /** Checks that may be stored before this one, of any endpoint. */
  readonly ahead: readonly string[];
  readonly at: Date;
}

/**
 * @throws Refusal `RateLimited` with the time after which another check may be started
 * @throws UndecidedPlace while checks ahead may be the last ones
 */
async function refuseTooMany(
  { conformanceChecks }: Transaction,
  { workspaceId, endpointId, ahead, at }: Start,
): Promise<void> {
  const recent = await conformanceChecks.startedSince(workspaceId, new Date(at.getTime() - CHECK_WINDOW_MS));
  const limited = limitChecks(recent, endpointId, at);
  if (limited !== null) {
    const { limit, of, afterMs } = limited;
    throw Refusal.tooMany(`${limit} conformance checks of this ${of} were started within an hour`, afterMs);
  }
  const stored = new Set<string>(recent.map(({ id }) => id));
  const possible = ahead.filter((id) => !stored.has(id)).map(() => ({ endpointId, startedAt: at }));
  if (limitChecks([...recent, ...possible], endpointId, at) !== null) throw new UndecidedPlace();
}
