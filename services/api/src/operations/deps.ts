import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { IdKind } from '@postrider/shared/domain/id';
import type { Member } from '@postrider/shared/domain/member';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Egress } from '@postrider/shared/domain/webhook-url';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Sealing } from '@postrider/shared/ports/sealing';
import type { DeliveryReads } from '../ports/delivery-reads.js';
import type { Directory } from '../ports/directory.js';
import type { EndpointReads } from '../ports/endpoint-reads.js';
import type { InvitationReads } from '../ports/invitation-reads.js';
import type { ForwardOnId, NewestFirst } from '../ports/list-reads.js';
import type { Mutate } from '../ports/unit-of-work.js';

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
