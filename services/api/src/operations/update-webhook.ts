import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { originOf } from '@postrider/shared/domain/endpoint';
import type { UpdateWebhook, Webhook } from '../contract/webhook.js';
import { applyUpdate, type Updated } from '../domain/update-endpoint.js';
import { noChange } from '../ports/unit-of-work.js';
import { showWebhook } from '../views/webhook.js';
import { audited } from './audit.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-live.js';
import { refuseUrl } from './refuse-url.js';

/** Changes the fields that are sent, and only those. An update that changes nothing leaves no trace. */
export function updateWebhook({
  mutate,
  clock,
  newId,
  egress,
}: Pick<Deps, 'mutate' | 'clock' | 'newId' | 'egress'>) {
  return (call: Call, input: UpdateWebhook & { endpointId: string }): Promise<Webhook> => {
    if (input.url !== undefined) refuseUrl(egress, input.url);
    return mutate(call, async (tx) => {
      const at = clock.now();
      const before = await findLiveEndpoint(tx.endpoints, call.workspace.id, input.endpointId);
      const updated = applyUpdate(before, input, at);
      const answer = showWebhook(updated.endpoint, at);
      const audit = auditOf(call, newId, updated, at);
      if (audit.length === 0) return noChange(answer);
      await tx.endpoints.save(updated.endpoint);
      return { answer, audit, outbox: [] };
    });
  };
}

function auditOf(
  call: Call,
  newId: Deps['newId'],
  { endpoint, changed, turned, streak }: Updated,
  at: Date,
): AuditEvent[] {
  const facts = { target: { type: 'endpoint', id: endpoint.id }, at } as const;
  const origin = originOf(endpoint.url);
  const entries: AuditEvent[] = [];
  if (changed.length > 0) {
    const metadata = { origin, changed };
    entries.push(audited(call, newId, { ...facts, action: 'webhook_endpoint.updated', metadata }));
  }
  if (turned === 'enabled') {
    entries.push(
      audited(call, newId, { ...facts, action: 'webhook_endpoint.enabled', metadata: { origin }, streak }),
    );
  }
  if (turned === 'disabled') {
    const metadata = { origin, reason: 'operator' };
    entries.push(audited(call, newId, { ...facts, action: 'webhook_endpoint.disabled', metadata }));
  }
  return entries;
}
