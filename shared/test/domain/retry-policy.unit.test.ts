import { expect } from 'chai';
import {
  backoffMs,
  DEFAULT_RETRY_STEP_MS,
  dueAgain,
  MAX_ATTEMPTS,
  tierOf,
} from '../../src/domain/retry-policy.js';
import { later, NOON } from '../../src/testing/builders.js';

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

  it('publishes a dead letter again after a minute, then after delays that double up to an hour', () => {
    const minutes: number[] = [];
    for (let due = later(60_000), times = 0; times < 9; times += 1) {
      const next = dueAgain(NOON, due);
      minutes.push((next.getTime() - due.getTime()) / 60_000);
      due = next;
    }
    expect(minutes).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('publishes a dead letter whose last attempt is unknown again after a minute', () => {
    expect(dueAgain(null, NOON)).to.deep.equal(later(60_000));
  });
});
