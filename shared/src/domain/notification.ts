import type { Feature } from './feature-level.js';
import type { EndpointId, WorkspaceId } from './id.js';

export const NOTIFICATION_KINDS = [
  'endpoint_failing',
  'endpoint_disabled',
  'endpoint_recovered',
  'endpoint_stopped_receiving',
  'delivery_digest',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The kinds that processes of older versions cannot publish, with the feature that they belong to. */
export const FEATURES_OF_KINDS: Partial<Readonly<Record<NotificationKind, Feature>>> = {
  endpoint_failing: 'endpointRecovery',
  endpoint_recovered: 'endpointRecovery',
};

export interface Notification {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly kind: NotificationKind;
  readonly message: string;
  readonly endpointId: EndpointId | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}
