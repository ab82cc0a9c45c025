import { METRICS } from '@postrider/shared/metrics/catalog';
import { LAYERS } from '../layers/layers.js';

/** A table of Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The table of metrics, from their declarations. */
export function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { kind, from, labels, help }]) => {
    return [`\`${name}\``, kind, codes(labels), from.join(', '), help];
  });
  return table(['metric', 'kind', 'labels', 'exported by', 'meaning'], rows);
}

export function layersTable(): string {
  const rows = LAYERS.map(({ files, role, uses, packages }) => {
    return [codes(files), role, codes(uses) || '–', codes(packages) || '–'];
  });
  return table(['files', 'role', 'may import', 'packages'], rows);
}
