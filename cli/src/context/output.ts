import { alignTable, type Column } from './table.js';
import type { Terminal } from './terminal.js';
import { visible, visibleJson } from './visible.js';

/** Prints results for people, or as JSON for programs. */
export interface Output {
  /** One object: lines for people, or one JSON object. */
  one<T extends object>(value: T, describe: (value: T) => readonly string[]): void;
  /**
   * A list: a table, or one JSON object per line. If no person reads it, columns are separated by tabs and have no header, and each
   * item is printed as soon as it arrives.
   */
  list<T extends object>(items: Iterable<T> | AsyncIterable<T>, columns: readonly Column<T>[]): Promise<void>;
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
      async list(items) {
        for await (const item of items) print(visibleJson(item));
      },
    };
  }
  return {
    one: (value, describe) => describe(visible(value)).forEach(print),
    async list(items, columns) {
      const titles = columns.map(({ title }) => title);
      // The items themselves are not kept: deliveries have payloads.
      const rows: (readonly string[])[] = [];
      for await (const item of items) {
        const shown = visible(item);
        const row = columns.map(({ value }) => value(shown));
        if (isInteractive) rows.push(row);
        else print(row.join('\t'));
      }
      if (!isInteractive) return;
      if (rows.length === 0) return note('Nothing found.');
      const [header = '', ...lines] = alignTable(titles, rows);
      print(paint('bold', header));
      lines.forEach(print);
    },
  };
}
