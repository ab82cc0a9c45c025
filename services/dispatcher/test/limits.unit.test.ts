import { expect } from 'chai';
import { openRetriesWithin } from '../src/limits.js';

describe('limits', () => {
  it('permits waiting retries no more than half of the jobs of a process, and 24,000', () => {
    expect(openRetriesWithin(1_000)).to.equal(500);
    expect(openRetriesWithin(50_000)).to.equal(24_000);
    expect(openRetriesWithin(1_000_000)).to.equal(24_000);
  });
});
