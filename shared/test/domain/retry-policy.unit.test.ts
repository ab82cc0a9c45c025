import { expect } from 'chai';
import { backoffMs, DEFAULT_RETRY_STEP_MS, MAX_ATTEMPTS, tierOf } from '../../src/domain/retry-policy.js';

describe('retry policy', () => {
  it('allows six retries after the first attempt', () => {
    expect(MAX_ATTEMPTS).to.equal(7);
  });

  it('waits 30, 60, 90, 120, 150, 180 seconds and never longer', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((made) => backoffMs(made, DEFAULT_RETRY_STEP_MS) / 1_000);
    expect(seconds).to.deep.equal([30, 60, 90, 120, 150, 180, 180, 180]);
  });

  it('scales the wait with the configured step', () => {
    expect([backoffMs(1, 10), backoffMs(6, 10), backoffMs(9, 10)]).to.deep.equal([10, 60, 60]);
  });

  it('returns the tier that matches the wait', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map(tierOf)).to.deep.equal([1, 2, 3, 4, 5, 6, 6]);
  });
});
