import { expect } from 'chai';
import fc from 'fast-check';
import { interleave } from './interleave.js';

describe('groups that are interleaved', () => {
  it('take turns according to their sizes', () => {
    expect(interleave([4, 2]).map(({ group }) => group)).to.deep.equal([0, 1, 0, 0, 1, 0]);
  });

  it('are complete, each in its own order, and evenly spread', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sizes, (counts) => {
        const placed = interleave(counts);
        for (const [group, count] of counts.entries()) {
          const mine = placed.filter((one) => one.group === group);
          expect(mine.map(({ nth }) => nth)).to.deep.equal(Array.from({ length: count }, (_, nth) => nth));
          const half = placed
            .slice(0, Math.ceil(placed.length / 2))
            .filter((one) => one.group === group).length;
          expect(half).to.be.within(count / 2 - counts.length, count / 2 + counts.length);
        }
        expect(placed).to.have.length(counts.reduce((sum, count) => sum + count, 0));
      }),
    );
  });
});
