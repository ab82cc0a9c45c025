import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { originOf } from '@postrider/shared/domain/endpoint';
import type { UpdateWebhook, Webhook } from '../contract/webhook.js';
import { type EndpointUpdated, updateEndpoint } from '../domain/update-endpoint.js';
import { noChange } from '../ports/unit-of-work.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { subscribedTypes } from './event-type-names.js';
import { findLiveEndpoint, refuseUrl } from './find-endpoint.js';

/** Changes the fields that are present. An update without effect writes no audit entry. */
export function updateWebhook(
  deps: Pick<Deps, 'mutate' | 'clock' | 'newId' | 'egress' | 'catalogue' | 'requireFeature'>,
) {
  const { mutate, clock, newId, egress } = deps;
  return (call: Call, input: UpdateWebhook & { endpointId: string }): Promise<Webhook> => {
    if (input.url !== undefined) refuseUrl(egress, input.url);
    const { eventTypes, ...fields } = input;
    const update =
      eventTypes === undefined ? fields : { ...fields, eventTypes: subscribedTypes(deps, eventTypes) };
    return mutate(call, async (tx) => {
      const at = clock.now();
      const before = await findLiveEndpoint(tx.endpoints, call.workspace.id, input.endpointId);
      const updated = updateEndpoint(before, update, at);
      const result = showWebhook(updated.endpoint, at);
      const audit = auditEntriesOf(call, newId, updated, at);
      if (audit.length === 0) return noChange(result);
      await tx.endpoints.save(updated.endpoint);
      return { result, audit, outbox: [] };
    });
  };
}

function auditEntriesOf(
  call: Call,
  newId: Deps['newId'],
  { endpoint, changed, switched, streak }: EndpointUpdated,
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
    const metadata = { origin, reason: 'operator' };
    entries.push(auditEntry(call, newId, { ...facts, action: 'webhook_endpoint.disabled', metadata }));
  }
  return entries;
}
