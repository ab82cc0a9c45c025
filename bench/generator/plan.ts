/** Indexes of the workspaces to which events are published in turn. */
export type Workspaces = readonly number[];

/** As fast as possible. */
export interface FlatOut {
  readonly kind: 'flat-out';
  readonly workspaces: Workspaces;
  /** Ends after so many events or seconds, whichever comes first; null for no such limit. */
  readonly events: number | null;
  readonly seconds: number | null;
  /** The number of deliveries that may be in flight, and deliveries of each event; null for no limit. */
  readonly window: { readonly deliveries: number; readonly perEvent: number } | null;
}

/** At fixed rates, independent of the progress of the deliveries. */
export interface AtRate {
  readonly kind: 'at-rate';
  readonly streams: readonly { readonly workspaces: Workspaces; readonly perSecond: number }[];
  /** Null to publish until it is stopped. */
  readonly seconds: number | null;
}

/** The rows and queue messages that fan-out creates, without events. */
export interface Backlog {
  readonly kind: 'backlog';
  readonly workspaces: Workspaces;
  readonly events: number;
  /** With a step: deliveries that have failed one to six times and wait in the delay topics. Null: not attempted yet. */
  readonly retryStepMs: number | null;
}

export type Plan = FlatOut | AtRate | Backlog;

/** What was published according to a plan. */
export interface Published {
  /** The number of its first event. A generator numbers the events of all its plans from 0. */
  readonly first: number;
  readonly events: number;
  /** How far the generator was behind its schedule, in milliseconds; null for a plan without one. */
  readonly lagP99Ms: number | null;
}
