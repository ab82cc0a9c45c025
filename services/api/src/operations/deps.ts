import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { IdKind } from '@postrider/shared/domain/id';
import type { Member } from '@postrider/shared/domain/member';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Egress } from '@postrider/shared/domain/webhook-url';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DeliveryReads } from '@postrider/shared/ports/delivery-reads';
import type { Directory } from '@postrider/shared/ports/directory';
import type { EndpointReads } from '@postrider/shared/ports/endpoint-reads';
import type { InvitationReads } from '@postrider/shared/ports/invitation-reads';
import type { ForwardOnId, NewestFirst } from '@postrider/shared/ports/list-reads';
import type { Sealing } from '@postrider/shared/ports/sealing';
import type { Mutate } from '@postrider/shared/ports/unit-of-work';

/** Everything that operations may ask for. Each one names the few that it needs. */
export interface Deps {
  readonly mutate: Mutate;
  readonly clock: Clock;
  /** A fresh identifier that sorts by `at`. */
  readonly newId: (kind: IdKind, at: Date) => string;
  /** Unpredictable bytes, for secrets. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sealing: Pick<Sealing, 'seal'>;
  readonly egress: Pick<Egress, 'problemWith'>;
  readonly endpoints: EndpointReads;
  readonly deliveries: DeliveryReads;
  readonly workspaces: Pick<Directory, 'workspaceBySlug'>;
  readonly members: ForwardOnId<Member>;
  readonly invitations: InvitationReads;
  readonly tokens: NewestFirst<ApiToken>;
  readonly notifications: NewestFirst<Notification>;
  readonly auditEvents: NewestFirst<AuditEvent>;
}
