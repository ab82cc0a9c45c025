import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { BROKEN_BUILDS } from './builds.js';

const ROOT = new URL('../../../../', import.meta.url);

/** Found in a second what `npm run test:oracle` would find after minutes. */
describe('the builds that are broken on purpose', () => {
  for (const { name, edits } of BROKEN_BUILDS) {
    it(`find the text that they change: ${name}`, () => {
      for (const { file, find } of edits) expect(readFileSync(new URL(file, ROOT), 'utf8')).to.include(find);
    });
  }
});
