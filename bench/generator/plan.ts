/** The workspaces, by their index, to which events are sent in turn. */
export type Workspaces = readonly number[];

/** As fast as it goes. */
export interface FlatOut {
  readonly kind: 'flat-out';
  readonly workspaces: Workspaces;
  /** Ends after so many events or so many seconds, whichever comes first. */
  readonly events: number | null;
  readonly seconds: number | null;
  /** At most so many deliveries are under way; null for any number. */
  readonly window: { readonly deliveries: number; readonly perEvent: number } | null;
}

/** At given rates, whatever becomes of the events. */
export interface AtRate {
  readonly kind: 'at-rate';
  readonly streams: readonly { readonly workspaces: Workspaces; readonly perSecond: number }[];
  /** Null until it is told that it is enough. */
  readonly seconds: number | null;
}

/** Not events but what fan-out makes of them, rows and their messages: as if it had come and gone. */
export interface Backlog {
  readonly kind: 'backlog';
  readonly workspaces: Workspaces;
  readonly events: number;
  /** With a step they have failed before, in turn once to six times, and wait in the delay topics; null: not yet sent. */
  readonly retryStepMs: number | null;
}

export type Plan = FlatOut | AtRate | Backlog;

/** What was published of a plan. */
export interface Published {
  /** The number of its first event; they are numbered from 0 through all plans of a generator. */
  readonly first: number;
  readonly events: number;
  /** How far the generator itself was behind its schedule, in milliseconds; null when there was none. */
  readonly lagP99Ms: number | null;
}

/** How many events of a stream are due after `elapsedMs`: the first at once, the last before the time is up. */
export function eventsDue(elapsedMs: number, stream: { perSecond: number; seconds: number | null }): number {
  const all =
    stream.seconds === null ? Number.POSITIVE_INFINITY : Math.round(stream.perSecond * stream.seconds);
  return Math.min(all, Math.floor((elapsedMs * stream.perSecond) / 1_000) + 1);
}
