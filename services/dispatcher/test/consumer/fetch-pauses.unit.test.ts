import { expect } from 'chai';
import { pausesOf } from '../../src/consumer/fetch-pauses.js';

const FIRST = { topic: 'first', partition: 0 };
const RETRIES = { topic: 'retries', partition: 0 };

describe('partitions that a fetch leaves out', () => {
  const resting = [RETRIES];
  const none: readonly (typeof FIRST)[] = [];
  const some = [FIRST];
  const cases = [
    { name: 'none', atLimit: none, isResting: false, expected: none },
    { name: 'those at their limit', atLimit: some, isResting: false, expected: some },
    { name: 'those that rest', atLimit: none, isResting: true, expected: resting },
    { name: 'both', atLimit: some, isResting: true, expected: [FIRST, RETRIES] },
  ];
  for (const { name, atLimit, isResting, expected } of cases)
    it(`are ${name}, with ${atLimit.length} at a limit and turns that ${isResting ? 'rest' : 'run'}`, () => {
      expect(pausesOf({ atLimit, resting, isResting })).to.deep.equal(expected);
    });

  it('are the same array in each fetch of a rest, so that their pauses are applied once', () => {
    const result = pausesOf({ atLimit: none, resting, isResting: true });
    expect(result).to.equal(resting);
  });
});
