import { expect } from 'chai';
import { inParallel } from '../../src/runtime/in-parallel.js';

describe('inParallel', () => {
  it('runs at most so many tasks at the same time and returns the results in order', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return item * 10;
    });
    expect(results).to.deep.equal([50, 10, 40, 20, 30]);
    expect(most).to.equal(2);
  });

  it('returns nothing for no items', async () => {
    expect(await inParallel([], 2, async () => 1)).to.deep.equal([]);
  });
});
