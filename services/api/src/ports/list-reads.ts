/** A place in a list that is ordered newest first on (createdAt, id). */
export interface Moment {
  readonly createdAt: Date;
  readonly id: string;
}

/** A list of a workspace, newest first. */
export interface NewestFirst<T> {
  /** Up to `limit` rows strictly past `after`; null starts at the newest. */
  list(
    workspaceId: string,
    slice: { readonly after: Moment | null; readonly limit: number },
  ): Promise<readonly T[]>;
}

/** A list of a workspace, read forward on id. */
export interface ForwardOnId<T> {
  /** Up to `limit` rows strictly past the id `after`; null starts at the first. */
  list(
    workspaceId: string,
    slice: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly T[]>;
}
