import { expect } from 'chai';
import { createLogThrottle } from '../../src/runtime/log-throttle.js';

describe('log throttle', () => {
  function aThrottle(limits: { everyMs?: number; maxKeys?: number } = {}) {
    const time = { now: 0 };
    const mayLog = createLogThrottle({ monotonicMs: () => time.now, ...limits });
    return (key: string | undefined, now = 0) => {
      time.now = now;
      return mayLog(key);
    };
  }

  it('allows each key once in a minute', () => {
    const mayLogAt = aThrottle({ maxKeys: 2 });
    const allowed = [0, 1, 59_999, 60_000, 60_001].map((ms) => mayLogAt('one', ms));
    expect(allowed).to.deep.equal([true, false, false, true, false]);
    expect(mayLogAt('other', 2)).to.equal(true);
  });

  it('limits a line without keys in the given time', () => {
    const mayLogAt = aThrottle({ everyMs: 10_000 });
    const allowed = [0, 9_999, 10_000].map((ms) => mayLogAt(undefined, ms));
    expect(allowed).to.deep.equal([true, false, true]);
  });

  it('evicts the least recently used key beyond its capacity', () => {
    const mayLogAt = aThrottle({ maxKeys: 2 });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map((key) => mayLogAt(key))).to.deep.equal([
      true,
      true,
      false,
      true,
      false,
      true,
    ]);
  });
});
