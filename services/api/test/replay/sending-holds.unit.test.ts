import { expect } from 'chai';
import { createSendingHolds } from '../../src/replay/sending-holds.js';

describe('the answer whether sending is held', () => {
  it('is used again for a second, and not longer when the clock is set back', async () => {
    let now = 10_000_000;
    let asked = 0;
    const hold = createSendingHolds(
      async () => {
        asked += 1;
        return [];
      },
      { now: () => new Date(now) },
    );
    await hold();
    now += 1_000;
    await hold();
    expect(asked).to.equal(1);
    now -= 3_600_000;
    await hold();
    expect(asked).to.equal(2);
  });
});
