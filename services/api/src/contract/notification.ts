import type { NotificationKind } from '@postrider/shared/domain/notification';
import type { Timestamp } from './timestamp.js';

/**
 * A notification about the endpoints of a workspace.
 * @example {
 *   "id": "ntf_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "kind": "endpoint_disabled",
 *   "message": "The webhook endpoint at https://hooks.example.com was disabled after 20 consecutive failures (the last one: HTTP 503). Repair it, then enable it again.",
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "data": { "consecutiveFailures": 20 },
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface Notification {
  id: string;
  kind: NotificationKind;
  /** Human-readable. */
  message: string;
  /** The endpoint concerned; null when it concerns the whole workspace. */
  endpointId: string | null;
  /** The facts in the message; the fields depend on the kind. */
  data: Record<string, unknown>;
  createdAt: Timestamp;
}
