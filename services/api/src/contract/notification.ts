import type { NotificationKind } from '@postrider/shared/domain/notification';
import type { Timestamp } from './timestamp.js';

/**
 * What the workspace should know about its endpoints.
 * @example {
 *   "id": "ntf_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "kind": "endpoint_disabled",
 *   "message": "The webhook endpoint at https://hooks.example.com was disabled after 20 consecutive failures. Repair it, then enable it again.",
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "data": { "consecutiveFailures": 20 },
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface Notification {
  id: string;
  kind: NotificationKind;
  /** A sentence for people. */
  message: string;
  /** The endpoint that it is about; null when it is about the whole workspace. */
  endpointId: string | null;
  /** The facts behind the message; which ones follows from the kind. */
  data: Record<string, unknown>;
  createdAt: Timestamp;
}
