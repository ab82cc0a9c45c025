import { type Spread, spreadOf } from '../measure/quantile.js';
import type { Consumption } from '../processes/meter.js';
import type { Figure, Part, Row } from './row.js';

interface Labelled<P extends Part> {
  readonly label: string;
  /** The results of all runs. */
  readonly runs: readonly P[];
}

/**
 * The results of a scenario as Markdown: figures, cost, account and warnings.
 *
 * @param runs the rows of each run; rows with the same label are the runs of one measurement
 */
export function scenarioText(runs: readonly (readonly Row[])[]): string {
  const rows = byLabel(runs.flat());
  const parts = byLabel(runs.flat().flatMap((row) => row.parts ?? []));
  const measured = rows.filter((row) => row.runs.some(({ figures }) => figures.length > 0));
  return [
    ...figureTables(measured.map(rowLine)),
    ...figureTables(parts.map(partLine)),
    ...costTable(rows),
    ...accountLines(runs.flat()),
    ...warningLines(rows),
  ].join('\n\n');
}

function byLabel<P extends Part>(parts: readonly P[]): Labelled<P>[] {
  return [...Map.groupBy(parts, ({ label }) => label)].map(([label, runs]) => ({ label, runs }));
}

/** A line of a table with the heading that it needs. */
interface Line {
  readonly heading: readonly string[];
  readonly cells: readonly string[];
}

function partLine({ label, runs }: Labelled<Part>): Line {
  const figures = [
    ...Map.groupBy(
      runs.flatMap((part) => part.figures),
      ({ name, unit }) => (unit === '' ? name : `${name}, ${unit}`),
    ),
  ];
  const cells = figures.map(([, values]) => figureCell(values));
  return { heading: ['', ...figures.map(([heading]) => heading)], cells: [label, ...cells] };
}

function rowLine(row: Labelled<Row>): Line {
  const { heading, cells } = partLine(row);
  const total = spreadOf(row.runs.map(({ cost }) => cpuPerDelivery(cost.processes, cost.deliveries)));
  return { heading: [...heading, 'CPU µs each'], cells: [...cells, spreadCell(total)] };
}

/** Lines with the same figures share a table. */
function figureTables(lines: readonly Line[]): string[] {
  const tables: Line[][] = [];
  for (const line of lines) {
    const last = tables.at(-1);
    if (last?.[0]?.heading.join() === line.heading.join()) last.push(line);
    else tables.push([line]);
  }
  return tables.map((table) =>
    formatTable(
      table[0]?.heading ?? [],
      table.map(({ cells }) => cells),
    ),
  );
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

/** Microseconds of CPU for each delivery; null if there were none or the use of a process is unknown. */
function cpuPerDelivery(processes: readonly Consumption[], deliveries: number): number | null {
  const seconds = processes.map(({ cpuSeconds }) => cpuSeconds ?? Number.NaN);
  const each = (seconds.reduce((sum, one) => sum + one, 0) * 1e6) / deliveries;
  return Number.isFinite(each) ? each : null;
}

function costTable(rows: readonly Labelled<Row>[]): string[] {
  const processesOf = (row: Labelled<Row>) => row.runs.flatMap(({ cost }) => cost.processes);
  const names = [...new Set(rows.flatMap(processesOf).map(({ name }) => name))];
  if (names.length === 0) return [];
  const costCell = (row: Labelled<Row>, name: string) => {
    const uses = row.runs.flatMap(({ cost }) =>
      cost.processes
        .filter((one) => one.name === name)
        .map((one) => ({ ...one, each: cpuPerDelivery([one], cost.deliveries) })),
    );
    if (uses.length === 0) return formatNumber(null);
    const medians = [
      spreadOf(uses.map(({ each }) => each)),
      spreadOf(uses.map(({ cpuSeconds }) => cpuSeconds)),
      spreadOf(uses.map(({ peakBytes }) => peakBytes && peakBytes / 1e6)),
    ];
    return medians.map((spread) => formatNumber(spread?.median ?? null)).join(' · ');
  };
  const lines = rows.map((row) => [row.label, ...names.map((name) => costCell(row, name))]);
  return [formatTable(['CPU µs each · CPU s · peak MB', ...names], lines)];
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
  const lines = rows.flatMap(({ label, runs }) => {
    const counts = new Map<string, number>();
    for (const [event, count] of runs.flatMap(({ warnings }) => Object.entries(warnings))) {
      counts.set(event, (counts.get(event) ?? 0) + count);
    }
    const listed = [...counts].map(([event, count]) => `${count} × ${event}`);
    return listed.length === 0 ? [] : [`- ${label}: ${listed.join(', ')}`];
  });
  return lines.length === 0 ? [] : [`Warnings and errors in the services' logs:\n\n${lines.join('\n')}`];
}

/** Three significant digits, or all digits before the decimal point. */
function formatNumber(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A Markdown table with aligned columns, so that it is readable in a terminal, too. */
function formatTable(heading: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = heading.map((_, column) =>
    Math.max(3, ...[heading, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  const format = (line: readonly string[]) => {
    const cells = widths.map((width, column) => {
      const cell = line[column] ?? '';
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${cells.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [heading, rule, ...lines].map(format).join('\n');
}
