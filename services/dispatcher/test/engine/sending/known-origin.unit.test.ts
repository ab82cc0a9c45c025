import { expect } from 'chai';
import { isPlainlyAt } from '../../../src/engine/sending/known-origin.js';

const ORIGIN = 'https://host.test';

describe('a URL', () => {
  it('is plainly at an origin if its text begins with it and a slash', () => {
    expect(isPlainlyAt(ORIGIN, 'https://host.test/hooks')).to.equal(true);
  });

  for (const url of [
    'https://host.test.other/hooks',
    'https://host.test:8443/hooks',
    'https://host.test@other.test/hooks',
    'https://HOST.test/hooks',
    'http://host.test/hooks',
    'https://host.test',
  ])
    it(`is not plainly at https://host.test: ${url}`, () => {
      expect(isPlainlyAt(ORIGIN, url)).to.equal(false);
    });
});
