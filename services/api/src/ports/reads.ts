import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { AuditAction, AuditEvent } from '@postrider/shared/domain/audit-event';
import type { ConformanceCheck } from '@postrider/shared/domain/conformance-check';
import type {
  Attempt,
  AttemptFailureReason,
  Delivery,
  DeliveryStatus,
  DeliverySummary,
  FailureReason,
} from '@postrider/shared/domain/delivery';
import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import type { EventTypeName } from '@postrider/shared/domain/event-type';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { PortalLink } from '@postrider/shared/domain/portal-link';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { HourCounts } from '@postrider/shared/domain/stat-hours';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { UnmatchedEvent } from '@postrider/shared/ports/fan-out';
import type { StatusCounts } from '@postrider/shared/ports/housekeeping';

/** The sort key of a row in a list that is ordered newest first. */
export interface CreationOrder {
  readonly createdAt: Date;
  readonly id: string;
}

/** Part of a list: up to `limit` rows strictly after `after`; null starts with the first row. */
export interface Slice<Key> {
  readonly after: Key | null;
  readonly limit: number;
}

/** A list of a workspace, newest first by (createdAt, id). */
export interface NewestFirst<T> {
  list(workspaceId: string, slice: Slice<CreationOrder>): Promise<readonly T[]>;
}

/** A list of a workspace, in ascending order of ids. */
export interface AscendingById<T> {
  list(workspaceId: string, slice: Slice<string>): Promise<readonly T[]>;
}

/** Part of the endpoints of a workspace, or of some of them. */
export interface EndpointSlice extends Slice<string> {
  /** Null means all. */
  readonly endpointIds: readonly string[] | null;
}

/** Part of the endpoints to search. */
export interface SearchSlice extends EndpointSlice {
  /** Reading stops with the endpoint that brings the subscriptions of all that were read to this number. */
  readonly maxSubscriptions: number;
}

export interface EndpointTotals {
  readonly enabled: number;
  readonly disabled: number;
}

/** Reads of webhook endpoints. The lists and the counts exclude deleted ones. */
export interface EndpointReads extends AscendingById<Endpoint> {
  /** Includes deleted ones: their deliveries stay readable. */
  find(workspaceId: string, id: string): Promise<Endpoint | null>;
  /** Like `list`, with the fields that a search needs. Reads a bounded number of subscriptions, but at least one endpoint. */
  search(workspaceId: string, slice: SearchSlice): Promise<BoundedRows<SearchedEndpoint, string>>;
  /** Those of these endpoints that exist, in ascending order of ids. */
  findSeveral(workspaceId: string, ids: readonly string[]): Promise<readonly Endpoint[]>;
  /** Like `list`, with deleted endpoints that still have deliveries. */
  listWithDeleted(workspaceId: string, slice: EndpointSlice): Promise<readonly Endpoint[]>;
  count(workspaceId: string): Promise<EndpointTotals>;
}

/** Reads of invitations of any status. */
export interface InvitationReads extends NewestFirst<Invitation> {
  find(workspaceId: string, id: string): Promise<Invitation | null>;
}

/** Part of the audit log; a filter that is null matches all. */
export interface AuditSlice extends Slice<CreationOrder> {
  readonly actions: readonly AuditAction[] | null;
  readonly actorId: string | null;
  readonly targetId: string | null;
  /** Exclusive. */
  readonly createdAfter: Date | null;
  /** Exclusive. */
  readonly createdBefore: Date | null;
}

/** Rows of a list, as far as it was read. */
export interface BoundedRows<Row, Key> {
  readonly rows: readonly Row[];
  /** Where reading stopped at its limit; null if there are no more rows. */
  readonly readTo: Key | null;
}

/** The audit log of a workspace, newest first by (createdAt, id). Reads a bounded number of rows. */
export interface AuditReads {
  list(workspaceId: string, slice: AuditSlice): Promise<BoundedRows<AuditEvent, CreationOrder>>;
}

/** Reads of API tokens. */
export interface TokenReads extends NewestFirst<ApiToken> {
  /** A token as it is after everything that was committed before the call. */
  findNow(workspaceId: string, id: string): Promise<ApiToken | null>;
}

/** Reads of replay jobs. */
export interface ReplayJobReads {
  /** Newest first by (createdAt, id). Reads a bounded number of rows if not every job may be shown. */
  list(
    workspaceId: string,
    slice: Slice<CreationOrder>,
  ): Promise<readonly ReplayJob[] | BoundedRows<ReplayJob, CreationOrder>>;
  /** The jobs that name one of these endpoints, newest first. Reads a bounded number of rows. */
  listOf(
    workspaceId: string,
    endpointIds: readonly string[],
    slice: Slice<CreationOrder>,
  ): Promise<BoundedRows<ReplayJob, CreationOrder>>;
  find(workspaceId: string, id: string): Promise<ReplayJob | null>;
}

/** Reads of conformance checks. */
export interface ConformanceCheckReads {
  /** The check as it is stored, even if it has exceeded its time limit. */
  find(workspaceId: string, id: string): Promise<ConformanceCheck | null>;
}

/** Part of a list of deliveries; a condition that is null matches all. */
export interface DeliverySlice extends Slice<string> {
  readonly endpointIds: readonly string[] | null;
  readonly statuses: readonly DeliveryStatus[] | null;
  readonly eventType: EventTypeName | null;
  readonly eventId: string | null;
  readonly traceId: string | null;
  /** The reasons for the status. */
  readonly failureReasons: readonly FailureReason[] | null;
  /** The reasons of the last attempt. */
  readonly lastFailureReasons: readonly AttemptFailureReason[] | null;
  /** The status of the last attempt. */
  readonly httpStatus: number | null;
  /** Exclusive. */
  readonly createdAfter: Date | null;
  /** Exclusive. */
  readonly createdBefore: Date | null;
}

/** The deliveries that were found, newest first. */
export interface DeliveriesFound {
  readonly deliveries: readonly Delivery[];
  /** The last row that was read, if reading stopped at a limit; null if there are no more. */
  readonly readTo: string | null;
}

/** A disabled period of an endpoint. */
export interface EndpointPeriod {
  readonly endpointId: string;
  readonly since: Date;
}

/** Reads of deliveries and their attempts, always within one workspace. */
export interface DeliveryReads {
  find(workspaceId: string, id: string): Promise<Delivery | null>;
  /** Those of these deliveries that exist, without payloads and attempts. */
  findSeveral(workspaceId: string, ids: readonly string[]): Promise<readonly DeliverySummary[]>;
  /**
   * The oldest delivery of an event, to these endpoints or to all: never a replay while the original exists. Reads a
   * bounded number of rows, among which are those of other workspaces that got the event.
   */
  oldestOf(
    workspaceId: string,
    eventId: string,
    endpointIds: readonly string[] | null,
  ): Promise<Delivery | null>;
  /** Newest first. Reads a bounded number of rows and bytes, but at least one row. */
  list(workspaceId: string, slice: DeliverySlice): Promise<DeliveriesFound>;
  /** The newest replay of each of these deliveries that has one. */
  newestReplays(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Every attempt of a delivery, by ordinal. */
  attempts(workspaceId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /**
   * Counts the deliveries that were closed in each of these disabled periods, up to `atMost` for each, by endpoint. An
   * endpoint without any is absent.
   */
  countHeld(periods: readonly EndpointPeriod[], atMost: number): Promise<ReadonlyMap<string, number>>;
  /** Counts the deliveries of all endpoints that were created since a given time. */
  countByStatus(workspaceId: WorkspaceId, since: Date): Promise<StatusCounts>;
}

/** Reads of events for which no delivery was stored. */
export interface UnmatchedEventReads {
  find(workspaceId: string, eventId: string): Promise<UnmatchedEvent | null>;
}

/** A token, or a portal link with the token that made it, and the workspace. */
export interface Bearer {
  readonly link: PortalLink | null;
  readonly token: ApiToken;
  readonly workspace: Workspace;
}

/** A member and the workspace. */
export interface KnownMember {
  readonly member: Member;
  readonly workspace: Workspace;
}

/** Finds the caller and the workspace of a request. */
export interface Directory {
  /** @param hash SHA-256 of the bearer token's secret, hex */
  bearerByHash(hash: string): Promise<Bearer | null>;
  /** @param hash SHA-256 of the secret of a portal link, hex */
  portalBearerByHash(hash: string): Promise<Bearer | null>;
  workspaceBySlug(slug: string): Promise<Workspace | null>;
  /** The member with this normalized e-mail address, and the workspace. */
  memberByEmail(slug: string, email: string): Promise<KnownMember | null>;
  /** The first workspace after the given id in which a revoked token has made tokens that are still to be revoked. */
  workspaceWithPendingFamilies(after: WorkspaceId | null): Promise<Workspace | null>;
  /** Records when and from where a token was used, unless a later use is recorded already. */
  recordUse(tokenId: string, use: { readonly at: Date; readonly address: string }): Promise<void>;
}

/** Steps of time, in UTC. */
export interface StepsSpan {
  readonly from: Date;
  readonly before: Date;
  readonly step: 'hour' | 'day';
}

/** Reads the hourly counts of deliveries. */
export interface StatsReads {
  /** The counts of an endpoint, or of the workspace if it is null. A step has the time of its first hour. */
  steps(
    owner: { readonly workspaceId: string; readonly endpointId: string | null },
    span: StepsSpan,
  ): AsyncIterable<HourCounts>;
  /** The summed counts of several endpoints. A step has the time of its first hour. */
  sums(endpointIds: readonly string[], span: StepsSpan): AsyncIterable<HourCounts>;
  /** Those of these hours that are stored for some endpoints, by endpoint. */
  hoursOf(
    endpointIds: readonly string[],
    hours: readonly Date[],
  ): Promise<ReadonlyMap<string, readonly HourCounts[]>>;
}
