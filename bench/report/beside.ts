import { spreadOf } from '../measure/quantile.js';
import type { Row } from './row.js';
import { formatNumber, formatTable } from './scenario-text.js';

/** The figures of one system in one scenario: of each row by its label, of each figure by its name. */
export interface Measured {
  readonly system: string;
  readonly figures: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
}

/** The medians of all runs. */
export function measuredIn(system: string, runs: readonly (readonly Row[])[]): Measured {
  const rows = Map.groupBy(runs.flat(), ({ label }) => label);
  const figures = [...rows].map(([label, results]) => {
    const values = Map.groupBy(
      results.flatMap((row) => row.figures),
      ({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`),
    );
    const medians = [...values].map(
      ([name, all]) => [name, spreadOf(all.map(({ value }) => value))?.median ?? null] as const,
    );
    return [label, Object.fromEntries(medians)] as const;
  });
  return { system, figures: Object.fromEntries(figures) };
}

/**
 * Figures of other systems from a file: an array of them, or the report of another run, of which the scenario is taken.
 *
 * @throws Error if the file is neither
 */
export function readMeasured(text: string, scenario: string): readonly Measured[] {
  const content: unknown = JSON.parse(text);
  if (Array.isArray(content) && content.every(isMeasured)) return content;
  if (hasScenarios(content)) {
    return content.scenarios.flatMap(({ name, measured }) => (name === scenario ? [measured] : []));
  }
  throw new Error(
    'figures to compare with are an array of {"system", "figures"}, or a report that --json wrote',
  );
}

function isMeasured(value: unknown): value is Measured {
  return typeof value === 'object' && value !== null && 'system' in value && 'figures' in value;
}

type Report = { readonly scenarios: readonly { readonly name: string; readonly measured: Measured }[] };

function hasScenarios(value: unknown): value is Report {
  return (
    typeof value === 'object' && value !== null && 'scenarios' in value && Array.isArray(value.scenarios)
  );
}

/** One line for each figure of the first system, one column for each system. */
export function besideTable(systems: readonly Measured[]): string {
  const lines = Object.entries(systems[0]?.figures ?? {}).flatMap(([label, figures]) =>
    Object.keys(figures).map((name) => {
      const cells = systems.map(
        (one) => [one.system, formatNumber(one.figures[label]?.[name] ?? null)] as const,
      );
      return new Map([['', `${label}: ${name}`], ...cells]);
    }),
  );
  return formatTable(lines);
}
