import { expect } from 'chai';
import { createSendingGuard } from '../../src/replay/sending-guard.js';

describe('the answer whether sending is held', () => {
  it('is used again for a second, and not longer when the clock is set back', async () => {
    let now = 10_000_000;
    let asked = 0;
    const guard = createSendingGuard(
      async () => {
        asked += 1;
        return false;
      },
      { now: () => new Date(now) },
    );
    await guard.isHeld();
    now += 1_000;
    await guard.isHeld();
    expect(asked).to.equal(1);
    now -= 3_600_000;
    await guard.isHeld();
    expect(asked).to.equal(2);
  });
});
