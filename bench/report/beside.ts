import { isRecord } from '@postrider/shared/domain/is-record';
import { spreadOf } from '../measure/quantile.js';
import type { Part, Row } from './row.js';
import { formatNumber, formatTable } from './scenario-text.js';

/** The figures of one system in one scenario: of each row or part by its label, of each figure by its name. */
export interface Measured {
  readonly system: string;
  readonly figures: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
}

/** The medians of all runs. */
export function measuredIn(system: string, runs: readonly (readonly Row[])[]): Measured {
  const parts = runs.flat().flatMap((row): readonly Part[] => [row, ...partsOf(row)]);
  const rows = Map.groupBy(parts, ({ label }) => label);
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

/** The name of a part is unique only within its row. */
function partsOf({ label, parts = [] }: Row): Part[] {
  return parts.map((part) => ({ ...part, label: `${label}, ${part.label}` }));
}

/**
 * Figures of other systems from a file: an array of figures, or the report of another run, from which the scenario is taken.
 *
 * @throws Error if the file is neither
 */
export function readMeasured(text: string, scenario: string): readonly Measured[] {
  const content: unknown = JSON.parse(text);
  if (Array.isArray(content) && content.every(isMeasured)) return content;
  if (!hasScenarios(content)) {
    throw new Error(
      'figures to compare with are an array of {"system", "figures": {"label": {"name, unit": number}}}, or a report that --json wrote',
    );
  }
  const found = content.scenarios.flatMap(({ name, measured }) => (name === scenario ? [measured] : []));
  if (found.length > 0) return found;
  const names = content.scenarios.map(({ name }) => name).join(', ');
  throw new Error(`the report to compare with lacks the scenario ${scenario}; it has ${names}`);
}

function isMeasured(value: unknown): value is Measured {
  if (!isRecord(value) || typeof value.system !== 'string' || !isRecord(value.figures)) return false;
  return Object.values(value.figures).every(
    (figures) => isRecord(figures) && Object.values(figures).every(isCell),
  );
}

function isCell(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

type Report = { readonly scenarios: readonly { readonly name: string; readonly measured: Measured }[] };

function hasScenarios(value: unknown): value is Report {
  return (
    isRecord(value) &&
    Array.isArray(value.scenarios) &&
    value.scenarios.every((one) => isRecord(one) && typeof one.name === 'string' && isMeasured(one.measured))
  );
}

/** One line for each figure that a system has, those of the first system first; one column for each system. */
export function besideTable(systems: readonly Measured[]): string {
  const headings = numbered(systems.map(({ system }) => system));
  const shown = systems.flatMap(({ figures }) =>
    Object.entries(figures).flatMap(([label, of]) =>
      Object.keys(of).map((name) => [`${label}: ${name}`, { label, name }] as const),
    ),
  );
  const lines = [...new Map(shown)].map(([line, { label, name }]) => {
    const cells = systems.map(
      ({ figures }, index) => [headings[index]!, formatNumber(figures[label]?.[name] ?? null)] as const,
    );
    return new Map([['', line], ...cells]);
  });
  return formatTable(lines);
}

/** Numbers duplicate names: two runs of one version have the same name. */
function numbered(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((one) => one === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}
