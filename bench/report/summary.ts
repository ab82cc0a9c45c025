import { type Spread, spreadOf } from '../measure/spread.js';
import { cpuPerDelivery, type Figure, type Goal, type Part, type Row, totalCpuSeconds } from './row.js';

/** What several runs of one part of a row came to. */
export interface PartSummary {
  readonly label: string;
  readonly figures: readonly FigureSummary[];
}

/** What several runs of one row came to. */
export interface RowSummary extends PartSummary {
  readonly parts: readonly PartSummary[];
  /** Microseconds of CPU for each delivery, all processes together. */
  readonly cpuPerDelivery: Spread | null;
  readonly processes: readonly ProcessSummary[];
  readonly owed: number;
  /** POSTs that were made again where that is allowed. */
  readonly repeatedPosts: number;
  /** Everything that did not add up, of all runs. */
  readonly mismatches: readonly string[];
  /** Warnings and errors that the services logged, of all runs. */
  readonly complaints: Readonly<Record<string, number>>;
}

export interface FigureSummary {
  readonly name: string;
  readonly unit: string;
  readonly spread: Spread | null;
  readonly goal?: Goal;
}

export interface ProcessSummary {
  readonly name: string;
  readonly cpuSeconds: Spread | null;
  readonly cpuPerDelivery: Spread | null;
  readonly peakBytes: Spread | null;
}

/** @param runs the rows of each run; rows of one label belong together */
export function summarise(runs: readonly (readonly Row[])[]): RowSummary[] {
  return [...Map.groupBy(runs.flat(), ({ label }) => label)].map(([label, rows]) => ({
    label,
    figures: figuresOf(rows),
    parts: partsOf(rows.flatMap(({ parts = [] }) => parts)),
    cpuPerDelivery: spreadOf(rows.map(({ cost }) => cpuPerDelivery(totalCpuSeconds(cost), cost.deliveries))),
    processes: processesOf(rows),
    owed: rows.reduce((sum, { account }) => sum + (account?.owed ?? 0), 0),
    repeatedPosts: rows.reduce((sum, { account }) => sum + (account?.repeatedPosts ?? 0), 0),
    mismatches: rows.flatMap(({ mismatches }) => mismatches),
    complaints: addUp(rows.map(({ complaints }) => complaints)),
  }));
}

/** Does the median reach the goal? Null without a goal or a value. */
export function isReached({ spread, goal }: Pick<FigureSummary, 'spread' | 'goal'>): boolean | null {
  if (spread === null || goal === undefined) return null;
  return 'atLeast' in goal ? spread.median >= goal.atLeast : spread.median <= goal.atMost;
}

/** Parts of one label belong together. */
function partsOf(parts: readonly Part[]): PartSummary[] {
  return [...Map.groupBy(parts, ({ label }) => label)].map(([label, same]) => ({
    label,
    figures: figuresOf(same),
  }));
}

function figuresOf(parts: readonly Part[]): FigureSummary[] {
  const byName = Map.groupBy(
    parts.flatMap(({ figures }) => figures),
    ({ name }) => name,
  );
  return [...byName.values()].flatMap((figures) => {
    const [first] = figures;
    return first === undefined
      ? []
      : [{ ...described(first), spread: spreadOf(figures.map(({ value }) => value)) }];
  });
}

function described({ name, unit, goal }: Figure) {
  return { name, unit, ...(goal && { goal }) };
}

function processesOf(rows: readonly Row[]): ProcessSummary[] {
  const uses = rows.flatMap(({ cost }) =>
    cost.processes.map((one) => ({ ...one, perDelivery: cpuPerDelivery(one.cpuSeconds, cost.deliveries) })),
  );
  return [...Map.groupBy(uses, ({ name }) => name)].map(([name, same]) => ({
    name,
    cpuSeconds: spreadOf(same.map(({ cpuSeconds }) => cpuSeconds)),
    cpuPerDelivery: spreadOf(same.map(({ perDelivery }) => perDelivery)),
    peakBytes: spreadOf(same.map(({ peakBytes }) => peakBytes)),
  }));
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [event, count] of counts.flatMap(Object.entries)) sums[event] = (sums[event] ?? 0) + count;
  return sums;
}
