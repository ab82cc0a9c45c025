import { expect } from 'chai';
import { FAULTS } from './faults.js';
import { parseOptions } from './options.js';

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
