import type { AuditEvent } from '@postrider/shared/domain/audit-event';

/** Audit events of what changes nothing else. Those of changes are written in their transaction. */
export interface AuditTrail {
  /** Stores an audit event unless one with its id is stored. */
  recordOnce(event: AuditEvent): Promise<void>;
}
