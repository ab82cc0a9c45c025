import type { Account } from '../account/reconcile.js';
import type { Consumption } from '../processes/meter.js';

/** What a figure has to reach. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One measured number. */
export interface Figure {
  readonly name: string;
  /** Stands in the heading; empty for a bare number. */
  readonly unit: string;
  /** Null when it could not be measured. */
  readonly value: number | null;
  readonly goal?: Goal;
}

/** What the processes used, and for how many deliveries. */
export interface Cost {
  readonly deliveries: number;
  readonly processes: readonly Consumption[];
}

/** Some figures under a name. */
export interface Part {
  readonly label: string;
  readonly figures: readonly Figure[];
}

/** One measurement: its figures, its cost, and what did not add up. */
export interface Row extends Part {
  /** What it consisted of, one after the other; told in a table of their own. */
  readonly parts?: readonly Part[];
  readonly cost: Cost;
  /** Null when the measurement could not be made. */
  readonly account: Account | null;
  /** Anything here fails the run. */
  readonly mismatches: readonly string[];
  /** Warnings and errors in the services' logs, by event. */
  readonly complaints: Readonly<Record<string, number>>;
}

/** Microseconds of CPU for each delivery; null when there were none, or the system does not tell. */
export function cpuPerDelivery(cpuSeconds: number | null, deliveries: number): number | null {
  return cpuSeconds === null || deliveries === 0 ? null : (cpuSeconds * 1e6) / deliveries;
}

/** Of all processes together; null when one of them is unknown. */
export function totalCpuSeconds({ processes }: Cost): number | null {
  return processes.reduce<number | null>(
    (sum, { cpuSeconds }) => (sum === null || cpuSeconds === null ? null : sum + cpuSeconds),
    0,
  );
}
