import { expect } from 'chai';
import { FAULTS } from './catalogue/all.js';
import { parseOptions } from './options.js';
import { type Random, randomFrom } from './random.js';

const KNOWN = [{ number: 1, quick: true }, { number: 2 }, { number: 30, quick: true }] as const;
const parse = (...args: string[]) => parseOptions(args, KNOWN, 99);
const DEFAULTS = { seed: 99, only: [1, 2, 30], lanes: 1, write: false, results: null };

describe('fault suite options', () => {
  it('select all faults and a random seed by default', () => {
    expect(parse()).to.deep.equal(DEFAULTS);
  });

  it('select faults by number or the quick run, and a seed', () => {
    expect(parse('--only', '2,30', '--seed', '42')).to.deep.equal({ ...DEFAULTS, only: [2, 30], seed: 42 });
    const saved = { ...DEFAULTS, only: [1, 30], lanes: 2, write: true, results: 'all.json' };
    expect(parse('--quick', '--lanes', '2', '--write', '--results', 'all.json')).to.deep.equal(saved);
  });

  for (const args of ['--only 3', '--only 1,x', '--seed none', '--fast', '--lanes 0', '--write'])
    it(`reject ${args}`, () => {
      expect(() => parse(...args.split(' '))).to.throw();
    });
});

describe('faults', () => {
  it('have unique numbers', () => {
    const numbers = FAULTS.map(({ number }) => number);
    expect(new Set(numbers).size).to.equal(numbers.length);
  });
});

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
