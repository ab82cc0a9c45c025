import { expect } from 'chai';
import { createTokenBrake } from '../../src/rate-limits/token-brake.js';

describe('token brake', () => {
  function braked(limit: number) {
    const time = { now: 0 };
    return { time, brake: createTokenBrake({ limit, now: () => time.now }) };
  }

  it('refuses an address from the limit on, until a minute after its first unknown token', () => {
    const { brake, time } = braked(2);
    expect(brake.start('a', 'x1')).to.equal(null);
    time.now = 10_000;
    expect(brake.start('a', 'x2')).to.equal(null);
    expect(brake.start('a', 'x3')).to.equal(50_000);
    expect(brake.start('b', 'x3')).to.equal(null);
    time.now = 60_000;
    expect(brake.start('a', 'x3')).to.equal(null);
  });

  it('counts neither tokens that exist nor their next look-ups', () => {
    const { brake } = braked(1);
    for (const hash of ['one', 'two', 'one']) {
      expect(brake.start('a', hash)).to.equal(null);
      brake.found('a', hash);
    }
    expect(brake.start('a', 'unknown')).to.equal(null);
    expect(brake.start('a', 'another')).to.equal(60_000);
    expect(brake.start('a', 'one')).to.equal(null);
  });

  it('counts look-ups that are still going on', () => {
    const { brake } = braked(3);
    const results = Array.from({ length: 5 }, (_, index) => brake.start('a', `x${index}`));
    expect(results).to.deep.equal([null, null, null, 60_000, 60_000]);
  });

  it('admits everything without a limit', () => {
    const { brake } = braked(0);
    for (let index = 0; index < 1_000; index += 1) expect(brake.start('a', `x${index}`)).to.equal(null);
  });
});
