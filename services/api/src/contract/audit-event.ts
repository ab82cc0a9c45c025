import type { ActorType, AuditAction, TargetType } from '@postrider/shared/domain/audit-event';
import type { Timestamp } from './timestamp.js';

/** The author of a change. */
export interface AuditActor {
  type: ActorType;
  /** Null for the system itself. */
  id: string | null;
}

/** The changed resource. */
export interface AuditTarget {
  type: TargetType;
  id: string;
}

/**
 * One entry of the audit trail.
 * @example {
 *   "id": "aud_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "action": "billing.plan_changed",
 *   "actor": { "type": "api_token", "id": "tok_01krzmb7g0q5w9n2x4c8v1j6th" },
 *   "target": { "type": "workspace", "id": "ws_01krzmb7g0q5w9n2x4c8v1j6th" },
 *   "metadata": { "previousPlan": "free", "plan": "team" },
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface AuditEvent {
  id: string;
  action: AuditAction;
  actor: AuditActor;
  target: AuditTarget;
  /** Facts about the change, without secrets and with only the origin of URLs. */
  metadata: Record<string, unknown>;
  createdAt: Timestamp;
}
