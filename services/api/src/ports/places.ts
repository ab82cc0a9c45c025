/** The kinds of rows that are limited in number for each workspace. */
export type PlaceKind = 'endpoints' | 'tokens' | 'replayJobs' | 'conformanceChecks';

/** A row that is about to be created. */
export interface NewRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: PlaceKind;
}

/** Thrown by a creation that depends on others: they hold the last places, and may still fail. */
export class UndecidedPlace extends Error {}

/** A place that is held, and the known facts about the other rows. */
export interface HeldPlace {
  /** The rows whose places were taken before and may not be stored yet. */
  readonly ahead: readonly string[];
  /** The maximum number of rows there are, including those ahead; null if that is not known. */
  readonly atMost: number | null;
  /** Call it with the number of stored rows, if they were counted, so that later creations need not count them again. */
  counted(stored: number): void;
}

/** Places of rows in the quotas and limits of workspaces. */
export interface Places {
  /**
   * Holds a place from before the first read of `create` until it has ended. `create` runs again when it throws `UndecidedPlace`,
   * with the rows ahead that are left.
   *
   * @throws Refusal `Unavailable` when it stays undecided
   */
  hold<T>(row: NewRow, create: (place: HeldPlace) => Promise<T>): Promise<T>;
}
