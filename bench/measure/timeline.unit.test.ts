import { expect } from 'chai';
import { countWithin, longestGap, slicesPerSecond } from './timeline.js';

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
