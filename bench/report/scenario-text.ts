import type { Spread } from '../measure/spread.js';
import { formatNumber } from './format-number.js';
import { type FigureSummary, isReached, type PartSummary, type RowSummary } from './summary.js';
import { formatTable } from './table.js';

/** The results of a scenario: its figures, what they cost, and whether everything was accounted for. */
export function scenarioText(rows: readonly RowSummary[]): string {
  const measured = rows.filter(({ figures }) => figures.length > 0);
  return [
    ...figureTables(measured.map(rowLine)),
    ...figureTables(rows.flatMap(({ parts }) => parts.map(partLine))),
    ...costTable(rows),
    ...accountLines(rows),
    ...complaintLines(rows),
  ].join('\n\n');
}

/** A line of a table, and the heading that it needs. */
interface Line {
  readonly heading: readonly string[];
  readonly cells: readonly string[];
}

function partLine({ label, figures }: PartSummary): Line {
  return { heading: ['', ...figures.map(figureHeading)], cells: [label, ...figures.map(figureCell)] };
}

function rowLine(row: RowSummary): Line {
  const { heading, cells } = partLine(row);
  return { heading: [...heading, 'CPU µs each'], cells: [...cells, spreadCell(row.cpuPerDelivery)] };
}

/** Lines with other figures than the line before begin a new table. */
function figureTables(lines: readonly Line[]): string[] {
  const tables: { heading: readonly string[]; lines: (readonly string[])[] }[] = [];
  for (const { heading, cells } of lines) {
    const last = tables.at(-1);
    if (last?.heading.join() === heading.join()) last.lines.push(cells);
    else tables.push({ heading, lines: [cells] });
  }
  return tables.map(formatTable);
}

function figureHeading({ name, unit }: FigureSummary): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

function figureCell(figure: FigureSummary): string {
  const reached = isReached(figure);
  const mark = reached === null ? '' : reached ? ' ✓' : ' ✗';
  return `${spreadCell(figure.spread)}${mark}`;
}

/** The median, and with several runs what it lies between. */
function spreadCell(spread: Spread | null, scale = 1): string {
  if (spread === null) return formatNumber(null);
  const [median, least, greatest] = [spread.median, spread.least, spread.greatest].map((value) =>
    formatNumber(value / scale),
  );
  return spread.runs === 1 ? `${median}` : `${median} (${least}–${greatest})`;
}

const MEGABYTE = 1e6;

function costTable(rows: readonly RowSummary[]): string[] {
  const names = [...new Set(rows.flatMap(({ processes }) => processes.map(({ name }) => name)))];
  if (names.length === 0) return [];
  const lines = rows.map(({ label, processes }) => [
    label,
    ...names.map((name) => {
      const one = processes.find((process) => process.name === name);
      if (one === undefined) return formatNumber(null);
      const { cpuPerDelivery, cpuSeconds, peakBytes } = one;
      const medians = [cpuPerDelivery?.median, cpuSeconds?.median, peakBytes && peakBytes.median / MEGABYTE];
      return medians.map((value) => formatNumber(value ?? null)).join(' · ');
    }),
  ]);
  return [formatTable({ heading: ['CPU µs each · CPU s · peak MB', ...names], lines })];
}

function accountLines(rows: readonly RowSummary[]): string[] {
  const owed = rows.reduce((sum, row) => sum + row.owed, 0);
  const wrong = rows.flatMap(({ label, mismatches }) => mismatches.map((what) => `- ${label}: ${what}`));
  const again = rows.reduce((sum, row) => sum + row.repeatedPosts, 0);
  if (owed === 0 && wrong.length === 0) return [];
  const accounted = `${owed.toLocaleString('en')} deliveries were accounted for one by one`;
  const twice =
    again === 0 ? 'none twice' : `${again.toLocaleString('en')} POSTs made again, none recorded twice`;
  if (wrong.length === 0) return [`${accounted}: none lost, ${twice}.`];
  return [`${accounted}. **This did not add up:**\n\n${wrong.join('\n')}`];
}

function complaintLines(rows: readonly RowSummary[]): string[] {
  const lines = rows.flatMap(({ label, complaints }) => {
    const told = Object.entries(complaints).map(([event, count]) => `${count} × ${event}`);
    return told.length === 0 ? [] : [`- ${label}: ${told.join(', ')}`];
  });
  return lines.length === 0 ? [] : [`Warnings and errors in the services' logs:\n\n${lines.join('\n')}`];
}
