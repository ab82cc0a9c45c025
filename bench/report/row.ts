import type { Account } from '../account/reconcile.js';
import type { Consumption } from '../processes/meter.js';

/** What the median of a figure should reach. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One measured number. */
export interface Figure {
  readonly name: string;
  /** Shown in the heading; empty for a bare number. */
  readonly unit: string;
  /** Null if it could not be measured. */
  readonly value: number | null;
  readonly goal?: Goal | undefined;
}

/** What processes used for a number of deliveries, or requests. */
export interface Cost {
  readonly deliveries: number;
  readonly processes: readonly Consumption[];
}

/** Some figures with a label. */
export interface Part {
  readonly label: string;
  readonly figures: readonly Figure[];
}

/** The result of one measurement. */
export interface Row extends Part {
  /** The figures of its steps, shown in a separate table. */
  readonly parts?: readonly Part[];
  readonly cost: Cost;
  /** Missing if no deliveries were accounted for. */
  readonly account?: Account;
  /** Any mismatch fails the run. */
  readonly mismatches: readonly string[];
  /** How often each warning or error is in the logs of the services. */
  readonly warnings?: Readonly<Record<string, number>>;
}
