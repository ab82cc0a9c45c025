import { expect } from 'chai';
import { throttleLog } from '../../src/engine/throttle-log.js';

const at = (ms: number) => new Date(1_000_000 + ms);

describe('throttleLog', () => {
  it('allows each key once in its interval', () => {
    const mayLog = throttleLog(60_000);
    const allowed = [0, 1, 59_999, 60_000, 60_001].map((ms) => mayLog('one', at(ms)));
    expect(allowed).to.deep.equal([true, false, false, true, false]);
    expect(mayLog('other', at(2))).to.equal(true);
  });

  it('allows a key again when the clock is set back', () => {
    const mayLog = throttleLog(60_000);
    expect([0, -3_600_000, -3_599_000].map((ms) => mayLog('one', at(ms)))).to.deep.equal([true, true, false]);
  });

  it('evicts the least recently used key beyond its capacity', () => {
    const mayLog = throttleLog(60_000, 2);
    expect(['a', 'b', 'c', 'c', 'a'].map((key) => mayLog(key, at(0)))).to.deep.equal([
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});
