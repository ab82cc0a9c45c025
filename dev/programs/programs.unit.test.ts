import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/paths.js';
import { NOT_BUNDLED } from './programs.js';

describe('packages that are not bundled', () => {
  it('are installed once each, in node_modules of the root, where the programs import them', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const installed = (name: string) =>
      Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
    expect(NOT_BUNDLED.flatMap(installed)).to.deep.equal(NOT_BUNDLED.map((name) => `node_modules/${name}`));
  });
});
