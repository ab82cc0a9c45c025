import { expect } from 'chai';
import { createPacer } from '../../src/runtime/pacer.js';

describe('pacer', () => {
  it('resolves immediately at first and spaces the following calls', async () => {
    const pace = createPacer(40);
    const started = performance.now();
    const times: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await pace();
      times.push(performance.now() - started);
    }
    const [first = 0, second = 0, third = 0] = times;
    expect(first).to.be.below(30);
    // Timers may fire a millisecond early.
    expect(second - first).to.be.at.least(38);
    expect(third - second).to.be.at.least(38);
  });

  it('resolves immediately after a rest', async () => {
    const pace = createPacer(20);
    await pace();
    await new Promise((resolve) => setTimeout(resolve, 30));
    let waited = true;
    const waiting = pace().then(() => {
      waited = false;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(waited).to.equal(false);
    await waiting;
  });
});
