interface Target {
  /** Indexes of the workspaces to which events are published in turn; all by default. */
  readonly workspaces?: readonly number[];
}

/** As fast as possible, until a number of events or a duration is reached. */
export interface FlatOut extends Target {
  readonly kind: 'flat-out';
  readonly events?: number;
  readonly seconds?: number;
  /** The number of deliveries that may be in flight; unlimited by default. */
  readonly window?: number;
}

/** At fixed rates, independent of the progress of the deliveries. */
export interface AtRate {
  readonly kind: 'at-rate';
  readonly streams: readonly (Target & { readonly perSecond: number })[];
  /** Until it is stopped by default. */
  readonly seconds?: number;
}

/** The rows and queue messages that fan-out creates, without events. */
export interface Backlog extends Target {
  readonly kind: 'backlog';
  readonly events: number;
  /** With a step, the deliveries have failed one to six times and wait in the delay topics. */
  readonly retryStepMs?: number;
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
