import type { AuditEvent } from '@postrider/shared/domain/audit-event';

/** Audit events without a change. Those of changes are written in the transaction of the change. */
export interface AuditTrail {
  /** Stores an audit event unless one with its id is stored. */
  recordOnce(event: AuditEvent): Promise<void>;
}
