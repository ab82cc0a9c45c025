import { expect } from 'chai';
import fc from 'fast-check';
import { distributionOf, quantile, spreadOf } from './quantile.js';

describe('quantile', () => {
  for (const [q, expected] of [
    [0, 10],
    [0.25, 10],
    [0.26, 20],
    [0.5, 20],
    [0.75, 30],
    [0.99, 40],
    [1, 40],
  ] as const) {
    it(`of ${q} is the least value that this share of the values does not exceed`, () => {
      expect(quantile([10, 20, 30, 40], q)).to.equal(expected);
    });
  }

  it('of no values is null', () => {
    expect(quantile([], 0.5)).to.equal(null);
    expect(distributionOf([])).to.deep.equal({ min: null, p50: null, p95: null, p99: null, max: null });
  });

  it('has at least its share of the values at or below it, and less than that below it', () => {
    const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (unsorted, q) => {
        const sorted = [...unsorted].sort((a, b) => a - b);
        const found = quantile(sorted, q) as number;
        const atOrBelow = unsorted.filter((value) => value <= found).length;
        const below = unsorted.filter((value) => value < found).length;
        expect(atOrBelow).to.be.at.least(q * unsorted.length);
        expect(below === 0 || below < q * unsorted.length).to.equal(true);
      }),
    );
  });

  it('does not depend on the order of the values, and orders them as numbers', () => {
    expect(distributionOf([9, 100, 10])).to.include({ min: 9, p50: 10, max: 100 });
  });
});

describe('spread of several runs', () => {
  it('has the middle value of an odd number of runs', () => {
    expect(spreadOf([30, 10, 20])).to.deep.equal({ median: 20, least: 10, greatest: 30, runs: 3 });
  });

  it('has the mean of the two middle values of an even number', () => {
    expect(spreadOf([40, 10, 20, 30])?.median).to.equal(25);
  });

  it('ignores runs without a value, and is null without any', () => {
    expect(spreadOf([null, 5, null])).to.deep.equal({ median: 5, least: 5, greatest: 5, runs: 1 });
    for (const values of [[], [null]]) expect(spreadOf(values)).to.equal(null);
  });
});
