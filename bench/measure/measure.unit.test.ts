import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { machineNow, machineTimeOf } from './clock.js';
import { distributionOf, quantile, spreadOf } from './quantile.js';
import { countWithin, longestGap, slicesPerSecond } from './timeline.js';

describe('machine clock', () => {
  it('is the same in another process', () => {
    const before = machineNow();
    const module = new URL('./clock.js', import.meta.url).href;
    const script = `import { machineNow } from ${JSON.stringify(module)}; process.stdout.write(String(machineNow()))`;
    const there = Number(execFileSync(process.execPath, ['--input-type=module', '--eval', script]));
    expect(there).to.be.within(before, machineNow());
  });

  it('runs as fast as the wall clock', () => {
    const wall = Date.now();
    expect(machineTimeOf(wall) - machineTimeOf(wall - 60_000)).to.be.closeTo(60_000, 50);
  });
});

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

describe('timeline', () => {
  const span = { from: 1_000, to: 3_000 };

  it('counts moments from the beginning of a span, excluding its end', () => {
    expect(countWithin([999, 1_000, 2_999, 3_000], span)).to.equal(2);
  });

  for (const [what, moments, gap] of [
    ['between two moments in any order', [2_900, 1_100, 1_900], 1_000],
    ['before the first moment', [1_800, 2_400], 800],
    ['after the last moment', [1_200, 2_000], 1_000],
    ['the whole span if it contains no moment', [900, 3_100], 2_000],
    ['cut off at the end of the span', [500, 2_500, 4_000], 1_500],
  ] as const) {
    it(`finds the longest gap: ${what}`, () => {
      expect(longestGap(moments, span)).to.equal(gap);
    });
  }

  it('computes the rate of each slice', () => {
    expect(slicesPerSecond([1_000, 1_400, 1_600, 2_999, 500, 3_000], span, 500)).to.deep.equal([4, 2, 0, 2]);
  });

  it('ignores the rest after the last whole slice', () => {
    expect(slicesPerSecond([1_000, 2_900], span, 1_500)).to.deep.equal([1 / 1.5]);
  });

  it('has no slices in a span that is shorter than a slice or negative', () => {
    expect(slicesPerSecond([1_000], { from: 1_000, to: 1_100 }, 500)).to.deep.equal([]);
    expect(slicesPerSecond([1_000], { from: 1_000, to: 0 }, 500)).to.deep.equal([]);
  });
});
