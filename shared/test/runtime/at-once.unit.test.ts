import { expect } from 'chai';
import { atOnce } from '../../src/runtime/at-once.js';

describe('atOnce', () => {
  it('handles each item once, by as many workers as stated', async () => {
    const running = { now: 0, most: 0 };
    const handled: number[] = [];
    await atOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await Promise.resolve();
      handled.push(item);
      running.now -= 1;
    });
    expect([handled, running.most]).to.deep.equal([[1, 2, 3, 4, 5, 6, 7], 3]);
  });

  it('begins nothing after a failure, and rejects with it once the others have ended', async () => {
    const ended: number[] = [];
    const failing = new Error('the second');
    const result = await atOnce([1, 2, 3, 4, 5], 2, async (item) => {
      if (item === 2) throw failing;
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    }).catch((error: unknown) => error);
    expect([result, ended]).to.deep.equal([failing, [1]]);
  });

  it('takes items from a generator one after the other, and rejects with its failure', async () => {
    const handled: number[] = [];
    const failing = new Error('no third');
    async function* items() {
      yield 1;
      yield 2;
      throw failing;
    }
    const result = await atOnce(items(), 3, async (item) => {
      handled.push(item);
    }).catch((error: unknown) => error);
    expect([result, handled]).to.deep.equal([failing, [1, 2]]);
  });

  it('does nothing without items', () => atOnce([], 4, () => Promise.reject(new Error('not called'))));
});
