import { stripVTControlCharacters } from 'node:util';

/** One column of a list. */
export interface Column<T> {
  readonly title: string;
  readonly value: (item: T) => string;
}

/** Pads all columns but the last to a common width. The first line is the header. */
export function alignTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const lines = [header, ...rows];
  const widths = header.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[column] ?? '')), 0),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => (column === line.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
      .join('  '),
  );
}

/** Without colour codes. */
const widthOf = (cell: string) => stripVTControlCharacters(cell).length;

const pad = (cell: string, width: number) => cell + ' '.repeat(width - widthOf(cell));
