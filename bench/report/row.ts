import type { Account } from '../account/reconcile.js';
import type { Consumption } from '../processes/meter.js';

/** The goal for the median of a figure. */
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

/** The usage of processes for a number of deliveries or requests. */
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
  /** The number of occurrences of each warning or error in the logs of the services. */
  readonly warnings?: Readonly<Record<string, number>>;
}
