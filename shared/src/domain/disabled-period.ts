/** A time in which an endpoint was disabled, until it was enabled again. */
export interface DisabledPeriod {
  /** Its start. It identifies the period in the rows that were closed in it. */
  readonly since: Date;
  /** The start of the enabled time before it. */
  readonly enabledSince: Date;
}

/** The fields of an endpoint that identify its disabled period. */
interface Dates {
  readonly enabledSince: Date;
  readonly disabledAt?: Date | null;
}

/**
 * The start of an endpoint's current disabled period. Of one that a process of an older version disabled only the start of the
 * enabled time before is known, which identifies the period as well: it changes when the endpoint is enabled again.
 */
export function disabledSince({ enabledSince, disabledAt }: Dates): Date {
  return disabledAt && disabledAt >= enabledSince ? disabledAt : enabledSince;
}

/** The current disabled period of an endpoint, as it is remembered once the endpoint is enabled. */
export function periodOf(endpoint: Dates): DisabledPeriod {
  return { since: disabledSince(endpoint), enabledSince: endpoint.enabledSince };
}
