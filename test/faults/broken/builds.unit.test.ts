import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BROKEN_BUILDS } from './builds.js';
import { UNDEFENDED_BUILDS } from './undefended-builds.js';

const ROOT = new URL('../../../../', import.meta.url);

/** Finds in a second what `npm run test:oracle` would find after minutes. */
describe('broken builds', () => {
  for (const { name, edits } of [...BROKEN_BUILDS, ...UNDEFENDED_BUILDS])
    it(`find the code that they replace: ${name}`, () => {
      for (const { file, find } of edits) expect(readFileSync(new URL(file, ROOT), 'utf8')).to.include(find);
    });
});
