import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type * as wire from '../contract/audit-event.js';

export function showAuditEvent({
  id,
  action,
  actor,
  target,
  metadata,
  source,
  createdAt,
}: AuditEvent): wire.AuditEvent {
  return {
    id,
    action,
    actor: { ...actor },
    target: { ...target },
    metadata: { ...metadata },
    source: source && { ...source },
    createdAt: createdAt.toISOString(),
  };
}
