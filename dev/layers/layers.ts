import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../start/paths.js';

/** A set of files and everything that it may import; layers.yaml explains the fields. */
export interface Layer {
  readonly files: readonly string[];
  readonly role: string;
  readonly uses: readonly string[];
  readonly packages: readonly string[];
}

const SHARED = 'catalogue domain events kafka metrics mongo outbox platform ports runtime tracing';
const words = (text = '') => text.split(' ').filter((word) => word !== '');

export const LAYERS: readonly Layer[] = (
  parse(readFileSync(join(ROOT, 'dev/layers/layers.yaml'), 'utf8')) as Record<string, string>[]
).map(({ files, role = '', uses, packages }) => ({
  files: words(files),
  role,
  uses: words(uses === 'every' ? SHARED : uses),
  packages: words(packages),
}));

/** The part of the linter's configuration that enforces the layers. */
export function biomeConfig() {
  return { overrides: LAYERS.map(overrideOf) };
}

function overrideOf(layer: Layer) {
  const { files, uses, packages } = layer;
  const allowed = [...uses, ...packages].join(', ') || 'nothing else';
  const refused = {
    group: ['**', ...allowedImports(layer).map((glob) => `!${glob}`)],
    message: `${files.join(', ')} may import its own folder and ${allowed} (dev/layers/layers.yaml).`,
  };
  const noRestrictedImports = { level: 'error', options: { patterns: [refused] } };
  return { includes: files, linter: { rules: { style: { noRestrictedImports } } } };
}

/** Import specifiers, as they are written in a file of the layer. */
export function allowedImports({ files, uses, packages }: Layer): readonly string[] {
  const [root, path = ''] = (files[0] ?? '').split(/(?<=\/src)\//);
  const relativeTo = (folder: string) => posix.relative(posix.dirname(path), folder).replace(/^(?!\.)/, './');
  const folders = uses.map((folder) =>
    root === 'shared/src' || folder.startsWith('./')
      ? `${relativeTo(folder)}/**`
      : `@postrider/shared/${folder}/**`,
  );
  return ['./**', ...folders, ...packages.flatMap((name) => [name, `${name}/**`])];
}
