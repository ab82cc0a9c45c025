import { expect } from 'chai';
import { createQuiesce } from '../../src/engine/quiesce.js';
import { settleDown } from './builders.js';
import { virtualTime } from './virtual-time.js';

describe('quiescing', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  // Regression: a stop did not leave its groups while the database did not respond.
  it('ends in time although the evidence of other processes cannot be read, and decides without it', async () => {
    let now = 0;
    let decisions = 0;
    let hasEnded = false;
    const quiesce = createQuiesce({
      pump: { stop: () => undefined, running: () => 0 },
      feeder: { stop: () => undefined },
      settler: { unsettled: () => 0 },
      passing: () => 0,
      guard: {
        refresh: () => new Promise(() => {}),
        decideNow: () => {
          decisions += 1;
        },
      },
      monotonicMs: () => now,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    void quiesce(2_000).then(() => {
      hasEnded = true;
    });
    for (; now < 2_000; now += 500) {
      await settleDown(1);
      expect(hasEnded).to.equal(false);
      time.tick(500);
    }
    await settleDown();
    expect([hasEnded, decisions]).to.deep.equal([true, 1]);
  });
});
