import { expect } from 'chai';
import { createBatchStarts } from '../../src/replay/batch-starts.js';

describe('starts of batches', () => {
  it('spaces the batches of all jobs by 50 ms, in the order of their calls, and delays no single one', async () => {
    let now = 0;
    const pauses: number[] = [];
    const starts = createBatchStarts({
      monotonicMs: () => now,
      sleep: async (ms) => pauses.push(ms),
    });
    expect(await Promise.all([starts.next(), starts.next(), starts.next()])).to.deep.equal([0, 50, 100]);
    now = 120;
    expect(await starts.next()).to.equal(30);
    now = 1_000;
    expect(await starts.next()).to.equal(0);
    expect(pauses).to.deep.equal([50, 100, 30]);
  });
});
