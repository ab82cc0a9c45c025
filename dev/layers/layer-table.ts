import { LAYERS, type Layer } from './layers.js';

export function layerTable(): string {
  return ['| files | role | may import | packages |', '|---|---|---|---|', ...LAYERS.map(rowOf)].join('\n');
}

function rowOf({ files, role, uses, packages }: Layer): string {
  return `| ${[codes(files), role, codes(uses), codes(packages)].join(' | ')} |`;
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ') || '–';
}
