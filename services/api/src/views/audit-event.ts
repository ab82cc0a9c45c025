import type * as wire from '@postrider/shared/contract/audit-event';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';

export function showAuditEvent({
  id,
  action,
  actor,
  target,
  metadata,
  createdAt,
}: AuditEvent): wire.AuditEvent {
  return {
    id,
    action,
    actor: { ...actor },
    target: { ...target },
    metadata: { ...metadata },
    createdAt: createdAt.toISOString(),
  };
}
