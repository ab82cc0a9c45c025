import { expect } from 'chai';
import { isSlow, statesOf } from '../../src/domain/endpoint-health.js';

const ENABLED = { disabledReason: null, consecutiveFailures: 0 };
const NOTHING = { hasHeld: false, isSlow: false };

describe('states of an endpoint', () => {
  it('has every state that applies', () => {
    expect(statesOf(ENABLED, NOTHING)).to.deep.equal(['healthy']);
    expect(statesOf({ ...ENABLED, consecutiveFailures: 1 }, { ...NOTHING, isSlow: true })).to.deep.equal([
      'failing',
      'slow',
    ]);
    expect(
      statesOf({ disabledReason: 'operator', consecutiveFailures: 5 }, { hasHeld: true, isSlow: true }),
    ).to.deep.equal(['disabled_by_operator', 'held']);
    expect(
      statesOf({ disabledReason: 'consecutive_failures', consecutiveFailures: 20 }, NOTHING),
    ).to.deep.equal(['disabled_by_failures']);
  });

  it('is slow when more than one in twenty attempts take longer than a second', () => {
    const attempts = (prompt: number, late: number) =>
      new Map([
        ['delivered', prompt],
        ['latency.10', prompt],
        ['latency.33', late],
      ]);
    expect(isSlow(attempts(94, 6))).to.equal(true);
    expect(isSlow(attempts(95, 5))).to.equal(false);
  });

  it('is not slow on the evidence of fewer than 20 attempts', () => {
    expect(isSlow(new Map([['latency.40', 19]]))).to.equal(false);
    expect(isSlow(new Map([['latency.40', 20]]))).to.equal(true);
    expect(isSlow(new Map())).to.equal(false);
  });
});
