import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { type Endpoint, originOf } from '@postrider/shared/domain/endpoint';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { UpdatedWebhook, UpdateWebhook } from '../contract/webhook.js';
import { type EndpointUpdated, updateEndpoint } from '../domain/update-endpoint.js';
import { noChange } from '../ports/unit-of-work.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { changeOfKey, requireOptions, storedOptions } from './endpoint-options.js';
import { subscribedTypes } from './event-type-names.js';
import { findLiveEndpoint } from './find-endpoint.js';
import type { CountHeld } from './held-counts.js';
import { refuseReplayHeld, startHeldReplay } from './replay-held.js';
import { type EnsureJob, withinActiveJobs } from './within-active-jobs.js';

type Needs = Pick<
  Deps,
  'mutate' | 'clock' | 'newId' | 'randomBytes' | 'sealing' | 'catalogue' | 'requireFeature' | 'places'
>;

/** The job that replays the held deliveries. */
interface HeldJob {
  readonly jobId: ReplayJob['id'];
  readonly ensureJob: EnsureJob;
}

/** Changes the fields that are present. An update without effect writes no audit entry. */
export function updateWebhook(deps: Needs, countHeld: CountHeld) {
  const { mutate, clock, newId, requireFeature } = deps;
  return (call: Call, input: UpdateWebhook & { endpointId: string }): Promise<UpdatedWebhook> => {
    if (input.replayHeld === true) requireFeature('heldDeliveries');
    if (input.recovery === 'probe') requireFeature('endpointRecovery');
    requireOptions(deps, input);
    const { eventTypes, ...fields } = input;
    const update =
      eventTypes === undefined ? fields : { ...fields, eventTypes: subscribedTypes(deps, eventTypes) };
    const change = (heldJob: HeldJob | null) =>
      mutate(call, async (tx) => {
        const at = clock.now();
        const before = await findLiveEndpoint(tx.endpoints, call.workspace.id, input.endpointId);
        refuseReplayHeld(input, before);
        const options = storedOptions(deps, input, before);
        const changedKey = changeOfKey(deps, input, { before, at });
        const updated = updateEndpoint(before, { ...update, ...changedKey, options }, at);
        // A period that begins now has no held deliveries yet.
        const held = before.enabled ? null : await countHeld([updated.endpoint]);
        const show = (endpoint: Endpoint) => showWebhook(endpoint, at, held?.get(before.id) ?? 0);
        const audit = auditEntriesOf(call, newId, { ...updated, before }, at);
        if (audit.length === 0) return noChange(show(before));
        const result = show(updated.endpoint);
        await tx.endpoints.save(updated.endpoint);
        if (heldJob === null) return { result, audit, outbox: [] };
        const replay = await startHeldReplay(call, newId, { tx, before, at, ...heldJob });
        const { replayJobId } = replay;
        return { result: { ...result, replayJobId }, audit: [...audit, replay.audit], outbox: [] };
      });
    if (input.replayHeld !== true) return change(null);
    const jobId = newId('replayJob', clock.now());
    return withinActiveJobs(deps, { id: jobId, workspaceId: call.workspace.id }, (ensureJob) =>
      change({ jobId, ensureJob }),
    );
  };
}

function auditEntriesOf(
  call: Call,
  newId: Deps['newId'],
  { before, endpoint, changed, switched, streak }: EndpointUpdated & { readonly before: Endpoint },
  at: Date,
): AuditEvent[] {
  const facts = { target: { type: 'endpoint', id: endpoint.id }, at } as const;
  const origin = originOf(endpoint.url);
  const entries: AuditEvent[] = [];
  if (changed.length > 0) {
    const metadata = { origin, changed };
    entries.push(auditEntry(call, newId, { ...facts, action: 'webhook_endpoint.updated', metadata }));
  }
  if (switched === 'enabled') {
    entries.push(
      auditEntry(call, newId, { ...facts, action: 'webhook_endpoint.enabled', metadata: { origin }, streak }),
    );
  }
  if (switched === 'disabled') {
    const previous = before.enabled ? {} : { previousReason: before.disabledReason };
    const metadata = { origin, reason: 'operator', ...previous };
    entries.push(auditEntry(call, newId, { ...facts, action: 'webhook_endpoint.disabled', metadata }));
  }
  return entries;
}
