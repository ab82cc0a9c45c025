/** A time in which an endpoint was disabled, until it was enabled again. */
export interface DisabledPeriod {
  /** Its start. It identifies the period in the rows that were closed in it. */
  readonly since: Date;
  /** The start of the enabled time before it. */
  readonly enabledSince: Date;
}

/**
 * A disabled period before the last one. It has its end, because the enabled time after it may not be the one before the next
 * remembered period: a process of an older version remembers only the last period.
 */
export interface EarlierPeriod extends DisabledPeriod {
  /** When the endpoint was enabled again. */
  readonly enabledAt: Date;
}

/** The fields of an endpoint that identify its disabled period. */
interface Dates {
  readonly enabledSince: Date;
  readonly disabledAt?: Date | null;
}

/** The fields of an endpoint that remember its ended disabled periods. */
interface Remembered {
  readonly enabledSince: Date;
  readonly lastPeriod?: DisabledPeriod;
  readonly earlierPeriods?: readonly EarlierPeriod[];
}

/**
 * Limits of the earlier periods that are kept for events handled late by fan-out: how long before an enabling one may have
 * ended, and how many there are. The time is limited because lost consumer offsets replay a week of events, which an endpoint
 * must not receive as late ones; the number, because every read of an endpoint for fan-out or sending includes them.
 */
const EARLIER_WITHIN_MS = 60 * 60_000;
const MAX_EARLIER = 20;

/** Maximum number of ended disabled periods that an endpoint remembers: the last one and those before it. */
export const MAX_ENDED_PERIODS = 1 + MAX_EARLIER;

/**
 * The start of an endpoint's current disabled period. If a process of an older version disabled it, only the start of the enabled
 * time before is known. That identifies the period as well: it changes when the endpoint is enabled again.
 */
export function disabledSince({ enabledSince, disabledAt }: Dates): Date {
  return disabledAt && disabledAt >= enabledSince ? disabledAt : enabledSince;
}

/** The current disabled period of an endpoint, as it is remembered once the endpoint is enabled. */
export function periodOf(endpoint: Dates): DisabledPeriod {
  return { since: disabledSince(endpoint), enabledSince: endpoint.enabledSince };
}

/** The disabled periods of an endpoint that have ended, as far as they are remembered, newest first. */
export function endedPeriods({
  enabledSince,
  lastPeriod,
  earlierPeriods = [],
}: Remembered): readonly EarlierPeriod[] {
  return lastPeriod === undefined
    ? earlierPeriods
    : [{ ...lastPeriod, enabledAt: enabledSince }, ...earlierPeriods];
}

/** The periods to remember besides the one that ends when an endpoint is enabled. */
export function earlierPeriodsAt(endpoint: Remembered, at: Date): readonly EarlierPeriod[] {
  const oldest = at.getTime() - EARLIER_WITHIN_MS;
  return endedPeriods(endpoint)
    .filter(({ enabledAt }) => enabledAt.getTime() >= oldest)
    .slice(0, MAX_EARLIER);
}
