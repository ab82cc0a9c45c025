import { cpuMicrosEach } from '../measure/cpu.js';
import { type Spread, spreadOf } from '../measure/quantile.js';
import type { Figure, Part, Row } from './row.js';

/** A label with the results of all runs that have it. */
type Labelled<P extends Part> = readonly [label: string, runs: readonly P[]];

/** The cells of a line by the headings of their columns. */
type Line = ReadonlyMap<string, string>;

/**
 * The results of a scenario as Markdown: figures, cost, account and warnings.
 *
 * @param runs the rows of each run; rows with the same label are the runs of one measurement
 */
export function scenarioText(runs: readonly (readonly Row[])[]): string {
  const results = runs.flat();
  const rows = byLabel(results);
  const parts = byLabel(results.flatMap((row) => row.parts ?? []));
  const measured = rows.filter(([, results]) => results.some(({ figures }) => figures.length > 0));
  return [
    ...figureTables(measured.map(rowLine)),
    ...figureTables(parts.map(partLine)),
    ...costTable(rows),
    ...accountLines(results),
    ...warningLines(rows),
  ].join('\n\n');
}

function byLabel<P extends Part>(parts: readonly P[]): Labelled<P>[] {
  return [...Map.groupBy(parts, ({ label }) => label)];
}

function partLine([label, runs]: Labelled<Part>): Line {
  const figures = Map.groupBy(
    runs.flatMap((part) => part.figures),
    ({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`),
  );
  const cells = [...figures].map(([heading, values]) => [heading, figureCell(values)] as const);
  return new Map([['', label], ...cells]);
}

function rowLine(row: Labelled<Row>): Line {
  const total = spreadOf(row[1].map(({ cost }) => cpuMicrosEach(cost.processes, cost.deliveries)));
  return new Map([...partLine(row), ['CPU µs each', spreadCell(total)]]);
}

/** Lines with the same figures share a table. */
function figureTables(lines: readonly Line[]): string[] {
  return [...Map.groupBy(lines, (line) => [...line.keys()].join()).values()].map(formatTable);
}

/** The spread of all runs, and whether the median reaches the goal. */
function figureCell(values: readonly Figure[]): string {
  const spread = spreadOf(values.map(({ value }) => value));
  const goal = values[0]?.goal;
  if (spread === null || goal === undefined) return spreadCell(spread);
  const { median } = spread;
  const isReached = 'atLeast' in goal ? median >= goal.atLeast : median <= goal.atMost;
  return `${spreadCell(spread)} ${isReached ? '✓' : '✗'}`;
}

/** The median, and the range of several runs. */
function spreadCell(spread: Spread | null): string {
  if (spread === null) return formatNumber(null);
  const { median, least, greatest, runs } = spread;
  const range = runs === 1 ? '' : ` (${formatNumber(least)}–${formatNumber(greatest)})`;
  return `${formatNumber(median)}${range}`;
}

function costTable(rows: readonly Labelled<Row>[]): string[] {
  const names = new Set(
    rows.flatMap(([, runs]) => runs.flatMap(({ cost }) => cost.processes)).map(({ name }) => name),
  );
  if (names.size === 0) return [];
  const costCell = (runs: readonly Row[], name: string) => {
    const uses = runs.flatMap(({ cost }) =>
      cost.processes
        .filter((one) => one.name === name)
        .map((one) => ({ ...one, each: cpuMicrosEach([one], cost.deliveries) })),
    );
    if (uses.length === 0) return formatNumber(null);
    const medians = [
      spreadOf(uses.map(({ each }) => each)),
      spreadOf(uses.map(({ cpuSeconds }) => cpuSeconds)),
      spreadOf(uses.map(({ peakBytes }) => peakBytes && peakBytes / 1e6)),
    ];
    return medians.map((spread) => formatNumber(spread?.median ?? null)).join(' · ');
  };
  const lines = rows.map(([label, runs]) => {
    const cells = [...names].map((name) => [name, costCell(runs, name)] as const);
    return new Map([['CPU µs each · CPU s · peak MB', label], ...cells]);
  });
  return [formatTable(lines)];
}

function accountLines(rows: readonly Row[]): string[] {
  const sumOf = (field: 'expected' | 'repeatedPosts') =>
    rows.reduce((sum, { account }) => sum + (account?.[field] ?? 0), 0);
  const [expected, repeated] = [sumOf('expected'), sumOf('repeatedPosts')];
  const wrong = rows.flatMap(({ label, mismatches }) => mismatches.map((what) => `- ${label}: ${what}`));
  if (expected === 0 && wrong.length === 0) return [];
  const accounted = `${expected.toLocaleString('en')} deliveries were accounted for one by one`;
  if (wrong.length > 0) return [`${accounted}. **This did not add up:**\n\n${wrong.join('\n')}`];
  const twice =
    repeated === 0 ? 'none twice' : `${repeated.toLocaleString('en')} POSTs repeated, none recorded twice`;
  return [`${accounted}: none lost, ${twice}.`];
}

function warningLines(rows: readonly Labelled<Row>[]): string[] {
  const lines = rows.flatMap(([label, runs]) => {
    const warnings = Map.groupBy(
      runs.flatMap((row) => Object.entries(row.warnings ?? {})),
      ([event]) => event,
    );
    const sumOf = (counts: [string, number][]) => counts.reduce((sum, [, count]) => sum + count, 0);
    const listed = [...warnings].map(([event, counts]) => `${sumOf(counts)} × ${event}`);
    return listed.length === 0 ? [] : [`- ${label}: ${listed.join(', ')}`];
  });
  return lines.length === 0 ? [] : [`Warnings and errors in the services' logs:\n\n${lines.join('\n')}`];
}

/** Three significant digits, or all digits before the decimal point. */
export function formatNumber(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A Markdown table with aligned columns, so that it is readable in a terminal, too. */
export function formatTable(lines: readonly Line[]): string {
  const [heading = [], ...rest] = [[...(lines[0]?.keys() ?? [])], ...lines.map((line) => [...line.values()])];
  const widths = heading.map((_, column) =>
    Math.max(3, ...[heading, ...rest].map((cells) => cells[column]?.length ?? 0)),
  );
  const rule = widths.map((width, column) => (column === 0 ? '-' : ':').padStart(width, '-'));
  const format = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  return [heading, rule, ...rest].map(format).join('\n');
}
