import { expect } from 'chai';
import { randomFrom } from './random.js';

describe("a run's chance", () => {
  const numbers = (...seeds: number[]) => {
    const random = randomFrom(...seeds);
    return Array.from({ length: 20 }, () => random.between(1, 1_000));
  };

  it('is the same for the same seeds, and another for others', () => {
    expect(numbers(42, 1)).to.deep.equal(numbers(42, 1));
    expect(numbers(42, 1)).to.not.deep.equal(numbers(42, 2));
    expect(numbers(42, 1)).to.not.deep.equal(numbers(43, 1));
  });

  it('reaches both ends and nothing beyond', () => {
    const random = randomFrom(7);
    const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 6)));
    expect([...drawn].sort()).to.deep.equal([3, 4, 5, 6]);
  });

  it('has branches of their own, whoever draws first', () => {
    const draw = (order: readonly number[]) => {
      const trunk = randomFrom(42, 24);
      const branches = [trunk.branch(0), trunk.branch(1)];
      const drawn: number[][] = [[], []];
      for (const index of order) {
        trunk.next();
        drawn[index]?.push(branches[index]?.between(1, 1_000) ?? 0);
      }
      return drawn;
    };
    expect(draw([0, 1, 0, 1, 0, 1])).to.deep.equal(draw([1, 1, 1, 0, 0, 0]));
    expect(draw([0, 1])[0]).to.not.deep.equal(draw([0, 1])[1]);
  });
});
