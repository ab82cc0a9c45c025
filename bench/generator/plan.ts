export interface Target {
  /** Indexes of the workspaces to which events are published in turn. */
  readonly workspaces: readonly number[];
}

/** As fast as possible, until a number of events or a duration is reached. */
export interface FlatOut extends Partial<Target> {
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
export interface Backlog {
  readonly kind: 'backlog';
  readonly events: number;
}

/** A published event as the accounting needs it. The number of an event is its index among all events. */
export interface LoggedEvent {
  /** Milliseconds since 1970, as in the event. */
  readonly occurredAt: number;
  /** The same moment in machine time, which the receiver uses, too. */
  readonly createdAt: number;
  /** Index of its workspace. */
  readonly workspace: number;
}

export type Plan = FlatOut | AtRate | Backlog;

/** Multiplies the rates of a plan that has rates. */
export function atLoad(plan: Plan, factor: number): Plan {
  if (plan.kind !== 'at-rate') return plan;
  return {
    ...plan,
    streams: plan.streams.map((stream) => ({ ...stream, perSecond: stream.perSecond * factor })),
  };
}

/** The events published according to a plan. */
export interface Published {
  /** The number of its first event. A generator numbers the events of all its plans from 0. */
  readonly first: number;
  readonly events: number;
  /** The generator's lag behind its schedule, in milliseconds; null for a plan without a schedule. */
  readonly lagP99Ms: number | null;
}
