import { expect } from 'chai';
import { createTokenBrake } from '../../src/rate-limits/token-brake.js';

describe('token brake', () => {
  function braked(limit: number) {
    const time = { now: 0 };
    return { time, brake: createTokenBrake({ limit, now: () => time.now }) };
  }

  it('refuses an address from the limit on, until a minute after its first unknown token', () => {
    const { brake, time } = braked(2);
    const start = (address: string, hash: string) => brake.start(address, hash).refusedForMs;
    expect(start('a', 'x1')).to.equal(null);
    time.now = 10_000;
    expect(start('a', 'x2')).to.equal(null);
    expect(start('a', 'x3')).to.equal(50_000);
    expect(start('b', 'x3')).to.equal(null);
    time.now = 60_000;
    expect(start('a', 'x3')).to.equal(null);
  });

  it('counts neither tokens that exist nor their next look-ups', () => {
    const { brake } = braked(1);
    for (const hash of ['one', 'two', 'one']) {
      const lookUp = brake.start('a', hash);
      expect(lookUp.refusedForMs).to.equal(null);
      lookUp.found();
    }
    expect(brake.start('a', 'unknown').refusedForMs).to.equal(null);
    expect(brake.start('a', 'another').refusedForMs).to.equal(60_000);
    expect(brake.start('a', 'one').refusedForMs).to.equal(null);
  });

  // Regression: only the first of them was taken back, so a burst with a valid token used up the limit.
  it('counts no concurrent look-ups of one token that exists', () => {
    const { brake } = braked(3);
    const lookUps = Array.from({ length: 3 }, () => brake.start('a', 'one'));
    for (const lookUp of lookUps) lookUp.found();
    const next = Array.from({ length: 4 }, (_, index) => brake.start('a', `x${index}`).refusedForMs);
    expect(next).to.deep.equal([null, null, null, 60_000]);
  });

  it('counts look-ups that are still going on', () => {
    const { brake } = braked(3);
    const results = Array.from({ length: 5 }, (_, index) => brake.start('a', `x${index}`).refusedForMs);
    expect(results).to.deep.equal([null, null, null, 60_000, 60_000]);
  });

  it('admits everything without a limit', () => {
    const { brake } = braked(0);
    for (let index = 0; index < 1_000; index += 1) {
      expect(brake.start('a', `x${index}`).refusedForMs).to.equal(null);
    }
  });
});
