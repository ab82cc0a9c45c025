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

/** Adds to stored counts. A failed call may have added some of them. */
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

/** How far a recount has come. */
export interface RecountPosition {
  readonly workspaceId: WorkspaceId;
  /** The last endpoint that is done; null if all of the workspace are. */
  readonly endpointId: EndpointId | null;
}

/** The hours from `from` (inclusive) to `before` (exclusive). */
export interface HourSpan {
  readonly from: Date;
  readonly before: Date;
}

/** Hours as they were stored, and as they were counted after that. */
export interface CountedHours {
  readonly stored: StoredHours;
  readonly counted: Hours;
  readonly span: HourSpan;
}

export interface Recounted {
  readonly counted: ReadonlyMap<EndpointId, Hours>;
  /** Hours that differed. */
  readonly replaced: number;
}

/** The janitor's port for counting again. */
export interface RecountStore {
  /** All endpoints behind a position, also deleted ones, by workspace, in pages. */
  endpoints(query: {
    readonly after: RecountPosition | null;
    readonly limit: number;
  }): AsyncIterable<CountedPage>;
  /**
   * Counts the rows of endpoints that were created from `createdFrom` on, and replaces stored hours that differ, unless they
   * have changed meanwhile.
   */
  recount(
    endpointIds: readonly EndpointId[],
    span: HourSpan & { readonly createdFrom: Date },
  ): Promise<Recounted>;
  workspaceHours(workspaceId: WorkspaceId, span: HourSpan): Promise<StoredHours>;
  /** Replaces what differs from what was stored. @returns how many hours */
  replaceWorkspace(workspaceId: WorkspaceId, hours: CountedHours): Promise<number>;
  /** Where the last run stopped; null if it came to the end. */
  position(): Promise<RecountPosition | null>;
  savePosition(position: RecountPosition | null): Promise<void>;
  /** Removes the counts of older hours. @returns how many */
  removeBefore(before: Date): Promise<number>;
}
