import { alignTable, type Column } from './table.js';
import type { Terminal } from './terminal.js';
import { visible, visibleJson } from './visible.js';

/** Prints results for people, or as JSON for programs. */
export interface Output {
  /** One object: lines for people, or one JSON object. */
  one<T extends object>(value: T, describe: (value: T) => readonly string[]): void;
  /** A list: a table, or one JSON object per line. If no person reads it, columns are separated by tabs and have no header. */
  list<T extends object>(items: readonly T[], columns: readonly Column<T>[]): void;
}

interface OutputParts {
  readonly terminal: Terminal;
  readonly format: 'json' | 'text';
}

export function createOutput({ terminal, format }: OutputParts): Output {
  const { print, isInteractive, paint, note } = terminal;
  if (format === 'json') {
    return {
      one: (value) => print(visibleJson(value)),
      list: (items) => items.forEach((item) => void print(visibleJson(item))),
    };
  }
  return {
    one: (value, describe) => describe(visible(value)).forEach(print),
    list(items, columns) {
      const rows = items.map(visible).map((item) => columns.map(({ value }) => value(item)));
      if (!isInteractive) return rows.forEach((row) => void print(row.join('\t')));
      if (rows.length === 0) return note('Nothing found.');
      const [header = '', ...lines] = alignTable(
        columns.map(({ title }) => title),
        rows,
      );
      print(paint('bold', header));
      lines.forEach(print);
    },
  };
}
