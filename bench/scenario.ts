import type { Context } from './context.js';
import type { Row } from './report/row.js';

/** One question, answered by a few measurements. */
export interface Scenario {
  readonly name: string;
  /** A summary for the report; docs/benchmarks.md describes the method. */
  readonly about: string;
  /** Makes all selected measurements once. */
  readonly run: (context: Context) => Promise<Row[]>;
}

/** One row of a scenario's table. */
export interface RowPlan {
  readonly label: string;
  /** The label of an earlier row to compare with. It is measured even if only this row is selected. */
  readonly baseline?: string;
  readonly measure: (baseline: Row | null) => Promise<Row>;
}

/** Measures the rows that `--only` selects, one after the other. */
export async function measureRows({ options }: Context, plans: readonly RowPlan[]): Promise<Row[]> {
  const selected = plans.filter(({ label }) => options.only === null || label.includes(options.only));
  const rows: Row[] = [];
  for (const plan of plans) {
    const isNeeded = selected.some((other) => other === plan || other.baseline === plan.label);
    if (isNeeded) rows.push(await plan.measure(rows.find(({ label }) => label === plan.baseline) ?? null));
  }
  return rows;
}
