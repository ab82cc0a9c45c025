import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PROGRAM_NAMES, PROGRAMS_DIRECTORY } from '#dev/programs/programs';
import { ROOT } from '#dev/start/paths';
import { readDockerfile } from './read-dockerfile.js';

describe('readDockerfile', () => {
  const image = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));

  it('finds the workspaces', () => {
    expect(image.manifests).to.include.members(['shared/package.json', 'services/api/package.json']);
    expect(image.installed).to.include.members(['@postrider/shared', '@postrider/dispatcher']);
  });

  it('finds what is copied of a built checkout', () =>
    expect(image.built).to.include.members([
      'dist',
      'shared/dist/src',
      'services/api/dist/src',
      'deploy/image',
      'docs/support.md',
    ]));

  it('finds every file that a program reads by the address of a module', () => {
    const ADDRESS = /new URL\("([^"]+)", new URL\("([^"]+)", import\.meta\.url\)\.href\)/g;
    const contents = new Map(
      readdirSync(PROGRAMS_DIRECTORY).map((name) => [
        name,
        readFileSync(join(PROGRAMS_DIRECTORY, name), 'utf8'),
      ]),
    );
    // The directory may have files of earlier builds, too.
    const names = new Set(PROGRAM_NAMES.map((name) => `${name}.js`));
    for (const name of names)
      for (const other of contents.keys()) if (contents.get(name)!.includes(`"./${other}"`)) names.add(other);
    const read = [...names].flatMap((name) => {
      const file = pathToFileURL(join(PROGRAMS_DIRECTORY, name));
      return Array.from(contents.get(name)!.matchAll(ADDRESS), ([, to, from]) =>
        relative(ROOT, fileURLToPath(new URL(to!, new URL(from!, file)))),
      );
    });
    expect(read).to.include.members([
      'shared/package.json',
      'cli/package.json',
      'services/api/openapi.json',
      'docs',
    ]);
    const isCopied = (path: string) =>
      image.built.some(
        (one) => matchesGlob(path, one) || path.startsWith(`${one}/`) || one.startsWith(`${path}/`),
      );
    expect(read.filter((path) => !isCopied(path))).to.deep.equal([]);
  });

  it('finds the variables, without quotes', () => {
    expect(image.env).to.include('NODE_ENV=production');
    expect(image.env.find((one) => one.startsWith('NODE_OPTIONS='))).to.match(/^NODE_OPTIONS=--/);
  });

  it('rejects a Dockerfile that is written differently', () =>
    expect(() => readDockerfile('FROM node:24\n')).to.throw('manifests'));
});
