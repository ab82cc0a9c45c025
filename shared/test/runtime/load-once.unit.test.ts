import { expect } from 'chai';
import { loadOnce } from '../../src/runtime/load-once.js';

describe('loadOnce', () => {
  it('loads once, also for calls at the same time', async () => {
    let loads = 0;
    const load = loadOnce(async () => ++loads);
    expect(await Promise.all([load(), load()])).to.deep.equal([1, 1]);
    expect(await load()).to.equal(1);
  });

  it('tries again after a failure', async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      loads += 1;
      if (loads === 1) throw new Error('not there yet');
      return 'loaded';
    });
    expect(await load().catch((error: Error) => error.message)).to.equal('not there yet');
    expect(await load()).to.equal('loaded');
  });
});
