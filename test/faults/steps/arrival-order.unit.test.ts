import { expect } from 'chai';
import { mostMissing } from './arrival-order.js';

describe('order of arrivals', () => {
  const cases: readonly (readonly [readonly number[], number])[] = [
    [[], 0],
    [[0, 1, 2, 3], 0],
    [[1, 0, 2, 3], 1],
    [[3, 0, 1, 2], 3],
    // One slow item, however many pass it.
    [[1, 2, 3, 4, 5, 6, 0], 1],
    [[3, 2, 1, 0], 3],
    [[2, 0, 1, 5, 3, 4], 2],
  ];
  for (const [places, expected] of cases)
    it(`has at most ${expected} missing in ${places.join(', ') || 'none'}`, () =>
      expect(mostMissing(places)).to.equal(expected));
});
