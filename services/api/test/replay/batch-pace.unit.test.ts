import { expect } from 'chai';
import { batchEveryMs, createBatchLookahead, largestBatch } from '../../src/replay/batch-pace.js';

describe('batchEveryMs', () => {
  for (const [ratePerSecond, everyMs] of [
    [1, 1_000],
    [10, 1_000],
    [20, 500],
    [50, 200],
    [100, 200],
    [200, 200],
    [400, 100],
    [800, 50],
    [1_000, 50],
  ] as const)
    it(`is ${everyMs} ms at ${ratePerSecond} replays a second`, () => {
      expect(batchEveryMs(ratePerSecond)).to.equal(everyMs);
    });
});

describe('largestBatch', () => {
  it('has the replays of an interval, of the delay and of 250 ms more', () => {
    expect(largestBatch(100, 0)).to.equal(45);
    expect(largestBatch(100, 550)).to.equal(100);
    expect(largestBatch(1, 0), 'rounded up').to.equal(2);
  });

  it('is at most as many as one transaction looks at', () => {
    expect(largestBatch(1_000, 60_000)).to.equal(1_000);
  });
});

describe('the lookahead of batches', () => {
  it('doubles after each batch that mostly skipped, up to a maximum, and ends with the next other one', () => {
    const lookahead = createBatchLookahead();
    expect(lookahead.of(10)).to.equal(10);
    lookahead.handled({ replayed: 4, skipped: 5 });
    lookahead.handled({ replayed: 0, skipped: 1 });
    expect(lookahead.of(10)).to.equal(40);
    for (let batch = 0; batch < 20; batch += 1) lookahead.handled({ replayed: 0, skipped: 1 });
    expect(lookahead.of(10)).to.equal(1_000);
    lookahead.handled({ replayed: 5, skipped: 5 });
    expect(lookahead.of(10)).to.equal(10);
  });
});
