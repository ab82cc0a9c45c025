import type { EndpointId, WorkspaceId } from '../domain/id.js';
import type { HourCounts } from '../domain/stat-hours.js';

/** Counts of an hour by their owner. */
export interface OwnedCounts<Owner extends string> extends HourCounts {
  readonly owner: Owner;
}

/** Changes of the counts of endpoints and of their workspaces. */
export interface StatChanges {
  readonly endpoints: readonly OwnedCounts<EndpointId>[];
  readonly workspaces: readonly OwnedCounts<WorkspaceId>[];
}

/** Adds to stored counts, in one command for each kind of owner: callers limit how many. A failed call may have added some of them. */
export type AddStats = (changes: StatChanges) => Promise<void>;

/** Counted hours by the time in milliseconds at which each begins. */
export type Hours = ReadonlyMap<number, HourCounts>;
/** Counts as they are stored, with their version. */
export type StoredHours = ReadonlyMap<number, HourCounts & { readonly version: number }>;

/** Endpoints of one workspace. */
export interface CountedPage {
  readonly workspaceId: WorkspaceId;
  readonly endpointIds: readonly EndpointId[];
}

/** The hours from `from` (inclusive) to `before` (exclusive). */
export interface HourSpan {
  readonly from: Date;
  readonly before: Date;
}

/** Hours as they are counted, and as they were stored before counting. */
export interface Tally {
  readonly stored: StoredHours;
  readonly counted: Map<number, HourCounts>;
}

/** An endpoint whose newer rows are not counted yet. */
export interface UnfinishedEndpoint {
  readonly id: EndpointId;
  /** The last delivery that was counted. */
  readonly reached: string;
  readonly tally: Tally;
}

/** The counts of a workspace that is not done. */
export interface UnfinishedWorkspace {
  readonly span: HourSpan;
  /** The counts of the endpoints that are done. */
  readonly tally: Tally;
  readonly endpoint: UnfinishedEndpoint | null;
}

/** How far a recount has come. */
export interface RecountPosition {
  readonly workspaceId: WorkspaceId;
  /** The last endpoint that is done; null if none of the workspace is, or all are. */
  readonly endpointId: EndpointId | null;
  /** Null if the workspace is done. */
  readonly unfinished: UnfinishedWorkspace | null;
}

/** Some of the rows of endpoints, ordered by endpoint and by id. */
export interface RowSlice {
  readonly endpointIds: readonly EndpointId[];
  /** Rows after this identifier. */
  readonly after: string;
  readonly limit: number;
}

export interface CountedRows {
  readonly counted: ReadonlyMap<EndpointId, Hours>;
  /** Rows that are not as they should be. They are not counted. */
  readonly unreadable: readonly Unreadable[];
  /** The last row; null if no more are left. */
  readonly last: { readonly endpointId: EndpointId; readonly deliveryId: string } | null;
}

export interface Unreadable {
  readonly deliveryId: string;
  readonly error: unknown;
}

/** The result of replacing hours. */
export interface ReplacedHours {
  readonly replaced: number;
  /** Hours that the database rejects although it is available. They stay as they are. */
  readonly rejected: readonly RejectedHour[];
}

export interface RejectedHour {
  /** The owner and the hour. */
  readonly id: string;
  readonly reason: string;
}

/** The janitor's port for counting again. */
export interface RecountStore {
  /** The endpoints after a position, without those that were deleted before a time, by workspace and id, in pages. */
  endpoints(query: {
    readonly after: RecountPosition | null;
    readonly deletedFrom: Date;
    readonly limit: number;
  }): AsyncIterable<CountedPage>;
  endpointHours(
    endpointIds: readonly EndpointId[],
    span: HourSpan,
  ): Promise<ReadonlyMap<EndpointId, StoredHours>>;
  workspaceHours(workspaceId: WorkspaceId, span: HourSpan): Promise<StoredHours>;
  /** Counts the outcomes of rows, except late ones. */
  countRows(slice: RowSlice): Promise<CountedRows>;
  /** Replaces hours that differ from what was stored, unless they have changed meanwhile. */
  replaceEndpoints(tallies: ReadonlyMap<EndpointId, Tally>, span: HourSpan): Promise<ReplacedHours>;
  replaceWorkspace(workspaceId: WorkspaceId, tally: Tally, span: HourSpan): Promise<ReplacedHours>;
  /** Where the last run stopped; null if it came to the end. */
  position(): Promise<RecountPosition | null>;
  savePosition(position: RecountPosition | null): Promise<void>;
  /** Removes up to `limit` counts of older hours of endpoints, and as many of workspaces. @returns how many */
  removeBefore(before: Date, limit: number): Promise<number>;
}
