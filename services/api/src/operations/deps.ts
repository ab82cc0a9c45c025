import type { Id, IdKind, ReplayJobId } from '@postrider/shared/domain/id';
import type { Member } from '@postrider/shared/domain/member';
import type { Notification } from '@postrider/shared/domain/notification';
import type { ListedPortalLink } from '@postrider/shared/domain/portal-link';
import type { Egress } from '@postrider/shared/domain/webhook-url';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import type { Clock } from '@postrider/shared/ports/clock';
import type { FindSendingHolds } from '@postrider/shared/ports/outage-guard';
import type { Sealing } from '@postrider/shared/ports/sealing';
import type { RequireFeature } from '../domain/require-feature.js';
import type { AuditTrail } from '../ports/audit-trail.js';
import type { Places } from '../ports/places.js';
import type {
  AscendingById,
  AuditReads,
  ConformanceCheckReads,
  DeliveryReads,
  Directory,
  EndpointReads,
  InvitationReads,
  NewestFirst,
  ReplayJobReads,
  StatsReads,
  TokenReads,
  UnmatchedEventReads,
} from '../ports/reads.js';
import type { StoredSecrets } from '../ports/stored-secrets.js';
import type { Mutate, Quotas, StoreEvents } from '../ports/unit-of-work.js';

/** The dependencies of all operations. Each operation picks those that it uses. */
export interface Deps {
  readonly mutate: Mutate;
  readonly storeEvents: StoreEvents;
  readonly clock: Clock;
  /** Resolves in the next turn of the event loop: what computes for long lets other work run in between. */
  readonly nextTurn: () => Promise<void>;
  readonly requireFeature: RequireFeature;
  readonly catalogue: Pick<CatalogueView, 'current'>;
  /** A new identifier that sorts by `at`. */
  readonly newId: <Kind extends IdKind>(kind: Kind, at: Date) => Id<Kind>;
  /** Cryptographically secure. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sealing: Sealing;
  readonly egress: Pick<Egress, 'problemWith'>;
  readonly endpoints: EndpointReads;
  readonly deliveries: DeliveryReads;
  readonly unmatchedEvents: UnmatchedEventReads;
  readonly workspaces: Pick<Directory, 'workspaceBySlug'>;
  readonly members: AscendingById<Member>;
  readonly invitations: InvitationReads;
  readonly tokens: TokenReads;
  readonly portalLinks: NewestFirst<ListedPortalLink>;
  readonly notifications: NewestFirst<Notification>;
  readonly auditEvents: AuditReads;
  readonly auditTrail: AuditTrail;
  /** The console's URL in portal links; null to use the address of the request. */
  readonly consoleUrl: string | null;
  /** For workspaces without quotas of their own. */
  readonly quotas: Quotas;
  readonly places: Places;
  readonly replayJobs: ReplayJobReads;
  /** Removes the matched deliveries of a cancelled job. */
  readonly forgetMatched: (jobId: ReplayJobId) => Promise<void>;
  readonly storedSecrets: StoredSecrets;
  readonly conformanceChecks: ConformanceCheckReads;
  readonly stats: StatsReads;
  /** Why dispatchers hold sending; the answer may be a second old. */
  readonly sendingHolds: FindSendingHolds;
  /** Whether outcomes are published. */
  readonly streamsAreOn: boolean;
}
