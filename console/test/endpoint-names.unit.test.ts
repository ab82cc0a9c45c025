import { expect } from 'chai';
import { batchReads } from '../src/endpoint-names/batch-reads.js';

describe('reads of single endpoints', () => {
  const reader = (limits: { readonly most: number; readonly pauseMs: number }) => {
    const requests: (readonly string[])[] = [];
    const read = batchReads<string>(async (ids) => {
      requests.push(ids);
      if (ids.includes('refused')) throw new Error('refused');
      return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, id.toUpperCase()]));
    }, limits);
    return { read, requests };
  };

  it('share a request when they are asked for together', async () => {
    const { read, requests } = reader({ most: 10, pauseMs: 0 });
    expect(await Promise.all(['a', 'unknown', 'b'].map(read))).to.deep.equal(['A', null, 'B']);
    expect(requests).to.deep.equal([['a', 'unknown', 'b']]);
  });

  it('are divided at the limit, and wait for the pause', async () => {
    const { read, requests } = reader({ most: 2, pauseMs: 30 });
    const startedMs = performance.now();
    expect(await Promise.all(['a', 'b', 'c'].map(read))).to.deep.equal(['A', 'B', 'C']);
    expect(requests).to.deep.equal([['a', 'b'], ['c']]);
    expect(performance.now() - startedMs).to.be.at.least(29);
  });

  it('fail together, and work again afterwards', async () => {
    const { read } = reader({ most: 10, pauseMs: 0 });
    const failed = await Promise.allSettled(['a', 'refused'].map(read));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await read('a')).to.equal('A');
  });
});
