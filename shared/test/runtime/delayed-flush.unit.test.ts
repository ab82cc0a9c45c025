import { mock } from 'node:test';
import { expect } from 'chai';
import { createDelayedFlush } from '../../src/runtime/delayed-flush.js';

describe('a delayed flush', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };

  /** Flushes up to three items after a second. */
  function aFlush() {
    const items: string[] = [];
    const flushes: { readonly taken: readonly string[]; readonly end: () => void }[] = [];
    const flushed = createDelayedFlush({
      waiting: () => items.length,
      full: 3,
      pauseMs: () => 1_000,
      flush: () =>
        new Promise((resolve) => {
          flushes.push({ taken: items.splice(0, 3), end: resolve });
        }),
    });
    const add = (...added: readonly string[]) => {
      items.push(...added);
      flushed.schedule();
    };
    return { flushes, add, drain: flushed.drain, taken: () => flushes.map(({ taken }) => taken.join('')) };
  }

  it('takes together what is added within the pause', async () => {
    const { add, taken } = aFlush();
    add('a');
    await pass(900);
    add('b');
    expect(taken()).to.deep.equal([]);
    await pass(100);
    expect(taken()).to.deep.equal(['ab']);
  });

  it('runs at once when it is full, and not again after the pause', async () => {
    const { add, taken, flushes } = aFlush();
    add('a');
    add('b', 'c');
    expect(taken()).to.deep.equal(['abc']);
    flushes[0]?.end();
    await pass(1_000);
    expect(taken()).to.deep.equal(['abc']);
  });

  it('waits for the flush in progress, and then for the pause', async () => {
    const { add, taken, flushes } = aFlush();
    add('a', 'b', 'c');
    add('d');
    await pass(5_000);
    expect(taken()).to.deep.equal(['abc']);
    flushes[0]?.end();
    await pass(0);
    await pass(1_000);
    expect(taken()).to.deep.equal(['abc', 'd']);
  });

  it('drains everything that waits without a pause', async () => {
    const { add, taken, flushes, drain } = aFlush();
    add('a', 'b', 'c', 'd');
    let isDrained = false;
    const draining = drain().then(() => {
      isDrained = true;
    });
    flushes[0]?.end();
    await pass(0);
    expect(taken()).to.deep.equal(['abc', 'd']);
    expect(isDrained).to.equal(false);
    flushes[1]?.end();
    await draining;
    await pass(5_000);
    expect(taken()).to.deep.equal(['abc', 'd']);
  });
});
