import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';

const ASSETS = resolve(import.meta.dirname, '../../../services/api/dist/src/console/site/assets');
/** For the first page. All pages together are smaller than that. */
const MAX_BYTES = 250 * 1_024;

function compressedSize(extension: string): number {
  return readdirSync(ASSETS)
    .filter((name) => name.endsWith(extension))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(ASSETS, name))).length, 0);
}

describe('build of the console', () => {
  it('has at most 250 KB of compressed scripts in all pages together', () => {
    expect(compressedSize('.js')).to.be.within(50_000, MAX_BYTES);
  });
});
