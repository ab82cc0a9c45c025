import type { EndpointId, WorkspaceId } from './id.js';

export const NOTIFICATION_KINDS = [
  'endpoint_disabled',
  'endpoint_stopped_receiving',
  'delivery_digest',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export interface Notification {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly kind: NotificationKind;
  readonly message: string;
  readonly endpointId: EndpointId | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}
