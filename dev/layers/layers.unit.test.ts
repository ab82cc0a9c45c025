import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/paths.js';
import { allowedImports, LAYERS, type Layer } from './layers.js';

const BIOME = join(ROOT, 'node_modules/.bin/biome');
const SOURCES = globSync('{shared,client,cli,console,services/*}/src/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !file.includes('/generated/') && !file.endsWith('.d.ts'),
);

/** Imports that at least one layer refuses: each folder of shared, each folder of a service, and a package. */
const CANDIDATES = (
  'left-pad mongodb kafkajs node:fs ../../../../test/system.js @postrider/shared/mongo/backlog ' +
  '@postrider/shared/kafka/publisher ../mongo/backlog.js ../http/app.js ../engine/engine.js'
).split(' ');

/** @param planted specifiers by file @returns those that the linter refuses, each as `path specifier` */
function refusedImports(planted: ReadonlyMap<string, readonly string[]>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'layers-'));
  try {
    for (const name of ['biome.json', 'biome.layers.json']) cpSync(join(ROOT, name), join(tree, name));
    for (const [path, specifiers] of planted) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), specifiers.map((specifier) => `import '${specifier}';\n`).join(''));
    }
    const args =
      'lint --vcs-enabled=false --only=style/noRestrictedImports --max-diagnostics=none --reporter=json .';
    const { stdout } = spawnSync(BIOME, args.split(' '), { cwd: tree, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { location: { path: string; start: { line: number } } }[];
    };
    return diagnostics.map(
      ({ location: { path, start } }) => `${path} ${planted.get(path)?.[start.line - 1]}`,
    );
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** The layer that decides about a file: the last one that matches it. */
const layerOf = (file: string) =>
  LAYERS.findLast(({ files }) => files.some((glob) => matchesGlob(file, glob)));

/** The globs of a layer without braces: one for each of the names in them. */
const globsOf = ({ files }: Layer) =>
  files.flatMap((glob) => {
    const [before = '', names, after = ''] = glob.split(/[{}]/);
    return names?.split(',').map((name) => `${before}${name}${after}`) ?? [glob];
  });

function fileOf(layer: Layer): string {
  const file = SOURCES.find((candidate) => layerOf(candidate) === layer);
  if (file === undefined) throw new Error(`no file belongs to the layer ${layer.files.join(', ')}`);
  return file;
}

describe('layers', () => {
  it('cover every source file of the product', () => {
    expect(SOURCES.filter((file) => layerOf(file) === undefined)).to.deep.equal([]);
  });

  it('name no file and no folder that does not exist', () => {
    const unused = LAYERS.flatMap(globsOf).filter((glob) => !SOURCES.some((file) => matchesGlob(file, glob)));
    expect(unused).to.deep.equal([]);
  });

  it('admit every import that their row lists and refuse every other one', () => {
    const expected: string[] = [];
    const planted = new Map<string, readonly string[]>();
    for (const layer of LAYERS) {
      const path = fileOf(layer);
      const globs = allowedImports(layer);
      const refused = CANDIDATES.filter((specifier) => !globs.some((glob) => matchesGlob(specifier, glob)));
      expect(refused).not.to.deep.equal([]);
      expected.push(...refused.map((specifier) => `${path} ${specifier}`));
      planted.set(path, [...refused, ...globs.map((glob) => glob.replaceAll('*', 'a'))]);
    }
    expect(refusedImports(planted)).to.have.members(expected);
  });
});
