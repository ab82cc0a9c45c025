import { expect } from 'chai';
import fc from 'fast-check';
import { createTextSearch } from '../../src/domain/text-search.js';

/** A text that counts how often its characters are read. */
function counted(text: string) {
  let reads = 0;
  const charCodeAt = (at: number) => {
    reads += 1;
    return text.charCodeAt(at);
  };
  return { characters: { length: text.length, charCodeAt }, reads: () => reads };
}

describe('text search', () => {
  const few = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength });

  it('finds what includes finds', () => {
    fc.assert(
      fc.property(few(5), few(40), (wanted, text) => {
        expect(createTextSearch(wanted)(text)).to.equal(text.includes(wanted));
      }),
    );
  });

  it('finds long texts that begin again within a beginning', () => {
    const wanted = `${'a'.repeat(512)}b${'a'.repeat(512)}`;
    const search = createTextSearch(wanted);
    expect(search(`aaaa${wanted}`)).to.equal(true);
    expect(search(`a${wanted.slice(1, -1)}c${wanted.slice(1)}`)).to.equal(false);
  });

  it('reads each character a few times, however often the texts repeat themselves', () => {
    const wanted = counted(`${'a'.repeat(512)}b${'a'.repeat(512)}`);
    const text = counted('a'.repeat(20_000));
    expect(createTextSearch(wanted.characters)(text.characters)).to.equal(false);
    expect(text.reads()).to.equal(20_000);
    expect(wanted.reads()).to.be.below(4 * 21_025);
  });
});
