import { expect } from 'chai';
import { fitsRow } from '../../src/mongo/fits-row.js';

describe('the payload of a row', () => {
  const MIB = 1_024 * 1_024;

  it('may have 15 MiB as the database stores it', () => {
    expect(fitsRow({ text: 'x'.repeat(15 * MIB - 100) })).to.equal(true);
    expect(fitsRow({ text: 'x'.repeat(15 * MIB) })).to.equal(false);
  });

  it('may always have a mebibyte as JSON', () => {
    for (const item of [0, 1.5, '', null, [], {}]) {
      const count = Math.floor(MIB / (JSON.stringify(item).length + 1));
      expect(fitsRow({ list: Array.from({ length: count }, () => item) }), JSON.stringify(item)).to.equal(
        true,
      );
    }
  });
});
