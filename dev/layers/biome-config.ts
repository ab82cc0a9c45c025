import { LAYERS, type Layer } from './layers.js';

/** The part of the linter's configuration that enforces the layers. */
export function biomeConfig() {
  return { overrides: LAYERS.map(overrideOf) };
}

function overrideOf(layer: Layer) {
  const refused = {
    group: ['**', ...allowedImports(layer).map((glob) => `!${glob}`)],
    message: messageOf(layer),
  };
  const noRestrictedImports = { level: 'error', options: { patterns: [refused] } };
  return { includes: layer.files, linter: { rules: { style: { noRestrictedImports } } } };
}

function messageOf({ files, uses, packages }: Layer): string {
  const allowed = [...uses, ...packages].join(', ') || 'nothing else';
  return `${files.join(', ')} may import its own folder and ${allowed} (dev/layers/layers.yaml).`;
}

/** Import specifiers, as they are written in a file of the layer. */
export function allowedImports({ files, uses, packages }: Layer): readonly string[] {
  const own = sourceFolderOf(files[0] ?? '');
  return ['./**', ...uses.flatMap((folder) => specifiersOf(own, folder)), ...packages.flatMap(withSubpaths)];
}

interface SourceFolder {
  /** Like `services/api/src`. */
  readonly root: string;
  /** From the root; empty for files directly in it. */
  readonly path: string;
}

function sourceFolderOf(glob: string): SourceFolder {
  const [root = '', rest = ''] = glob.split(/(?<=\/src)\//);
  return { root, path: rest.slice(0, Math.max(0, rest.lastIndexOf('/'))) };
}

function specifiersOf({ root, path }: SourceFolder, folder: string): string[] {
  const isInShared = root === 'shared/src';
  if (!isInShared && !folder.startsWith('./')) return [`@postrider/shared/${folder}/**`];
  const up = path === '' ? './' : '../'.repeat(path.split('/').length);
  return [`${up}${folder.replace('./', '')}/**`];
}

function withSubpaths(name: string): string[] {
  return [name, `${name}/**`];
}
