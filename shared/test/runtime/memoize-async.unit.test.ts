import { expect } from 'chai';
import { memoizeAsync } from '../../src/runtime/memoize-async.js';

describe('memoizeAsync', () => {
  it('calls the function once per key, also for concurrent callers', async () => {
    const asked: string[] = [];
    const length = memoizeAsync(async (key: string) => {
      asked.push(key);
      await new Promise(setImmediate);
      return key.length;
    });
    expect(await Promise.all(['one', 'three', 'one', 'three', 'one'].map(length))).to.deep.equal([
      3, 5, 3, 5, 3,
    ]);
    expect(await length('one')).to.equal(3);
    expect(asked).to.deep.equal(['one', 'three']);
  });

  it('does not cache failures', async () => {
    let failures = 2;
    const answer = memoizeAsync(async (key: string) => {
      failures -= 1;
      if (failures > 0) throw new Error('away');
      return key;
    });
    const ends = await Promise.allSettled([answer('a'), answer('a')]);
    expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await answer('a')).to.equal('a');
  });
});
