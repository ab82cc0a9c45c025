/** The kinds of rows of which a workspace may have a limited number. */
export type PlaceKind = 'endpoints' | 'tokens' | 'replayJobs' | 'conformanceChecks';

/** A row that is about to be created. */
export interface NewRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: PlaceKind;
}

/** Thrown by a creation that depends on others: they hold the last places, and may still fail. */
export class UndecidedPlace extends Error {}

/** Places of rows in the quotas and limits of workspaces. */
export interface Places {
  /**
   * Holds a place from before `create` reads anything until it has ended. `create` gets the ids of the rows whose places
   * were taken before and may not be stored yet. It runs again when it throws `UndecidedPlace`, with those that are left.
   *
   * @throws Refusal `Unavailable` when it stays undecided
   */
  hold<T>(row: NewRow, create: (ahead: readonly string[]) => Promise<T>): Promise<T>;
}
