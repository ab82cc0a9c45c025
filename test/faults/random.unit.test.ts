import { expect } from 'chai';
import { type Random, randomFrom } from './random.js';

const draw = (random: Random) => Array.from({ length: 20 }, () => random.between(1, 1_000));

describe('randomFrom', () => {
  it('returns the same numbers for the same seeds only', () => {
    expect(draw(randomFrom(42, 1))).to.deep.equal(draw(randomFrom(42, 1)));
    expect(draw(randomFrom(42, 1))).to.not.deep.equal(draw(randomFrom(42, 2)));
    expect(draw(randomFrom(42, 1))).to.not.deep.equal(draw(randomFrom(43, 1)));
  });

  it('includes both ends of a range and nothing else', () => {
    const random = randomFrom(7);
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 6)));
    expect([...drawn].sort()).to.deep.equal([3, 4, 5, 6]);
  });

  it('has branches that differ from each other and do not depend on numbers drawn elsewhere', () => {
    const [fresh, used] = [randomFrom(42, 24), randomFrom(42, 24)];
    draw(used);
    draw(used.branch(1));
    expect(draw(used.branch(0))).to.deep.equal(draw(fresh.branch(0)));
    expect(draw(used.branch(0))).to.not.deep.equal(draw(used.branch(1)));
  });
});
