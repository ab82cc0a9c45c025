import type { ActorType, AuditAction, TargetType } from '@postrider/shared/domain/audit-event';
import type { PageRequest } from './page.js';
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

/** Where the request of a change came from. */
export interface AuditSource {
  address: string | null;
  /** Up to 200 characters. */
  userAgent: string | null;
  /** The `x-trace-id` of the response. */
  traceId: string;
}

/**
 * One entry of the audit trail.
 * @example {
 *   "id": "aud_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "action": "billing.plan_changed",
 *   "actor": { "type": "api_token", "id": "tok_01krzmb7g0q5w9n2x4c8v1j6th" },
 *   "target": { "type": "workspace", "id": "ws_01krzmb7g0q5w9n2x4c8v1j6th" },
 *   "metadata": { "previousPlan": "free", "plan": "team", "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th" },
 *   "source": {
 *     "address": "203.0.113.7", "userAgent": "curl/8.14.1", "traceId": "4bf92f3577b34da6a3ce929d0e0e4736"
 *   },
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface AuditEvent {
  id: string;
  action: AuditAction;
  actor: AuditActor;
  target: AuditTarget;
  /**
   * Facts about the change, without secrets and with only the origin of URLs. If the change caused an event, `eventId` is its id, for
   * `explain_event`. `webhook_endpoint.disabled` has a `reason`, and a `previousReason` if the endpoint was disabled already.
   */
  metadata: Record<string, unknown>;
  /** Null for the system itself, and for entries of earlier versions. */
  source: AuditSource | null;
  createdAt: Timestamp;
}

/** Selects the audit events to list. */
export interface AuditFilter extends PageRequest {
  /** One action or several, separated by commas. */
  action?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  /** Only entries created after this time. */
  createdAfter?: Date | undefined;
  /** Only entries created before this time. */
  createdBefore?: Date | undefined;
}
