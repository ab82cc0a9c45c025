/** Cells by line; the first cell of a line says what it is about. */
export interface Table {
  readonly heading: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

/** A table in Markdown, its columns aligned so that it reads well as it stands: in a terminal, too. */
export function formatTable({ heading, lines }: Table): string {
  const widths = heading.map((cell, column) =>
    Math.max(3, cell.length, ...lines.map((line) => line[column]?.length ?? 0)),
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
  return [format(heading), `| ${rule.join(' | ')} |`, ...lines.map(format)].join('\n');
}
