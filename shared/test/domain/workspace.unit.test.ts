import { expect } from 'chai';
import { isSlug } from '../../src/domain/workspace.js';

describe('isSlug', () => {
  for (const slug of ['a', '7', 'acme', 'acme-2', 'a--b', 'a'.repeat(63)]) {
    it(`accepts "${slug}"`, () => expect(isSlug(slug)).to.equal(true));
  }

  for (const text of [
    '',
    '-acme',
    'acme-',
    'Acme',
    'ac me',
    'ac_me',
    'acmé',
    'acme\n',
    'a/b',
    'a'.repeat(64),
  ]) {
    it(`rejects ${JSON.stringify(text)}`, () => expect(isSlug(text)).to.equal(false));
  }
});
