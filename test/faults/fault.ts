import type { Outage } from './oracle/evidence.js';
import type { World, WorldOptions } from './world/world.js';

/** One action on the running system. @throws Error if the system did not react as the fault requires */
export type Step = (world: World) => unknown;

/** A fault: its steps, its load, and the delays that it permits. */
export interface Fault extends WorldOptions {
  readonly number: number;
  readonly name: string;
  /** Part of the quick run. */
  readonly quick?: true;
  /** Calls per second that create an event; `RATE` by default. */
  readonly rate?: number;
  /** Paths of endpoints that must not slow down. */
  readonly healthy?: readonly string[];
  /** The dependency that is unavailable to all dispatchers: deliveries may be late until the outage is over. */
  readonly outage?: Outage;
  /** Paths of endpoints that receive more than they can handle. */
  readonly overloaded?: readonly string[];
  /** Retention of deliveries, if they are removed during the run. */
  readonly retentionMs?: number;
  /** Interval of the oracle's checks; reading much data takes a while. */
  readonly checkEveryMs?: number;
  /** How long to wait for recovery, and then for the end of all work; 150 s by default. */
  readonly patienceMs?: number;
  /** The share of calls, 0 to 1, that must be accepted during the fault; at least one call by default. */
  readonly minAccepted?: number;
  /** Whether the broker's clock is shifted. */
  readonly brokerClock?: true;
  /** Returns what this machine lacks for the fault, or null. */
  readonly missing?: () => string | null;
  /** Runs before the load starts. */
  readonly prepare?: Step;
  /** The fault itself, under load. Afterwards the system has to recover. */
  readonly steps: readonly Step[];
}
