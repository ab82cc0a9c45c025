import { expect } from 'chai';
import { doublingPauseMs } from '../../src/runtime/doubling-pause.js';

describe('doublingPauseMs', () => {
  it('doubles from the first pause to the longest one', () => {
    const pauses = [1, 2, 3, 4, 5, 2_000].map((failures) =>
      doublingPauseMs(failures, { firstMs: 100, longestMs: 500 }),
    );
    expect(pauses).to.deep.equal([100, 200, 400, 500, 500, 500]);
  });

  it('doubles each time without a longest pause', () => {
    expect([1, 2, 6].map((failures) => doublingPauseMs(failures, { firstMs: 25 }))).to.deep.equal([
      25, 50, 800,
    ]);
  });
});
