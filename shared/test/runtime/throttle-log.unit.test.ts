import { expect } from 'chai';
import { throttleLog } from '../../src/runtime/throttle-log.js';

const at = (ms: number) => new Date(1_000_000 + ms);

describe('what is told seldom', () => {
  it('is told once in its time, each key for itself', () => {
    const may = throttleLog(60_000);
    const told = [0, 1, 59_999, 60_000, 60_001].map((ms) => may('one', at(ms)));
    expect(told).to.deep.equal([true, false, false, true, false]);
    expect(may('other', at(2))).to.equal(true);
  });

  it('remembers no more keys than it may', () => {
    const may = throttleLog(60_000, 2);
    expect(['a', 'b', 'c', 'c', 'a'].map((key) => may(key, at(0)))).to.deep.equal([
      true,
      true,
      true,
      false,
      true,
    ]);
  });
});
