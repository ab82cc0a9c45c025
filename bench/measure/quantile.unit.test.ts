import { expect } from 'chai';
import fc from 'fast-check';
import { distributionOf, quantile } from './quantile.js';

describe('a quantile', () => {
  const sorted = [10, 20, 30, 40];

  for (const [q, expected] of [
    [0, 10],
    [0.25, 10],
    [0.26, 20],
    [0.5, 20],
    [0.75, 30],
    [0.99, 40],
    [1, 40],
  ] as const) {
    it(`of ${q} is the least value that this share does not exceed`, () => {
      expect(quantile(sorted, q)).to.equal(expected);
    });
  }

  it('of nothing is null', () => {
    expect(quantile([], 0.5)).to.equal(null);
    expect(distributionOf([])).to.deep.equal({
      least: null,
      p50: null,
      p95: null,
      p99: null,
      greatest: null,
    });
  });

  it('leaves at least its share of the values at or below it, and less than that below it', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (unsorted, q) => {
        const found = quantile(
          [...unsorted].sort((a, b) => a - b),
          q,
        ) as number;
        const atOrBelow = unsorted.filter((value) => value <= found).length;
        const below = unsorted.filter((value) => value < found).length;
        expect(atOrBelow).to.be.at.least(q * unsorted.length);
        expect(below === 0 || below < q * unsorted.length).to.equal(true);
      }),
    );
  });

  it('does not care in which order the values came, and sorts numbers as numbers', () => {
    expect(distributionOf([9, 100, 10])).to.include({ least: 9, p50: 10, greatest: 100 });
  });
});
