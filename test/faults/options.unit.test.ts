import { expect } from 'chai';
import { FAULTS } from './faults.js';
import { parseOptions } from './options.js';

const KNOWN = [
  { number: 1, quick: true },
  { number: 2, quick: false },
  { number: 30, quick: true },
];
const parse = (...args: string[]) => parseOptions(args, KNOWN, 99);

describe("the fault suite's options", () => {
  it('are all faults and a seed of its own, unless told', () => {
    expect(parse()).to.deep.equal({ seed: 99, only: [1, 2, 30], lanes: 1, write: false, results: null });
  });

  it('choose faults by number or the short run, and a seed', () => {
    expect(parse('--only', '2,30', '--seed', '42'))
      .to.include({ seed: 42 })
      .and.deep.include({ only: [2, 30] });
    expect(parse('--quick', '--lanes', '2', '--write', '--results', 'all.json')).to.deep.equal({
      seed: 99,
      only: [1, 30],
      lanes: 2,
      write: true,
      results: 'all.json',
    });
  });

  for (const wrong of [
    ['--only', '3'],
    ['--only', '1,x'],
    ['--seed', 'none'],
    ['--fast'],
    ['--lanes', '0'],
    ['--write'],
  ])
    it(`refuse ${wrong.join(' ')}`, () => {
      expect(() => parse(...wrong)).to.throw();
    });
});

describe('the faults', () => {
  it('have numbers of their own', () => {
    const numbers = FAULTS.map(({ number }) => number);
    expect(new Set(numbers).size).to.equal(numbers.length);
  });
});
