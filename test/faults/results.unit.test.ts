import { expect } from 'chai';
import { faultsWithTooFewSeeds, mergeResults, type Result, tableOf } from './results.js';
import { isGreen, type Outcome } from './run-fault.js';

const OUTCOME: Outcome = {
  load: { rate: 10, endpoints: 6 },
  calls: { all: 90, accepted: 80 },
  events: 100,
  deliveries: 500,
  kills: 3,
  repeatedPosts: 2,
  recoveredAfterMs: 4_200,
  violations: [],
};
const violations = ['I1', 'I1', 'I3'].map((invariant) => ({ invariant, what: 'something' }));
const result = (differences: Partial<Outcome> = {}, seed = 42): Result => {
  const outcome = { ...OUTCOME, ...differences };
  return { number: 7, name: 'a crash', seed, day: '2026-01-31', outcome, missing: null };
};
const GREEN = result();
const RED = result({ violations });
const OTHER = result({ recoveredAfterMs: 950 }, 7);
const NOT_RUN: Result = { ...GREEN, outcome: null, missing: 'faketime' };

describe('isGreen', () => {
  it('requires no violation and a recovery within a minute', () => {
    expect(isGreen(OUTCOME)).to.equal(true);
    for (const differences of [{ violations }, { recoveredAfterMs: 60_001 }, { recoveredAfterMs: null }])
      expect(isGreen({ ...OUTCOME, ...differences })).to.equal(false);
  });
});

describe('table of faults', () => {
  const ROWS: Record<string, [Result[], string]> = {
    'a green fault': [[GREEN], '10 × 6 | 3 | 0 | 2 | 4.2 | green'],
    'the lost deliveries and violated invariants': [[RED], '10 × 6 | 3 | 2 | 2 | 4.2 | RED: seed 42 I1, I3'],
    'a fault without recovery': [
      [result({ recoveredAfterMs: null })],
      '10 × 6 | 3 | 0 | 2 | never | RED: seed 42 recovered too slowly',
    ],
    'the sums of several seeds': [[OTHER, GREEN], '10 × 6 | 6 | 0 | 4 | 0.9 · 4.2 | green, 2 of 2'],
    'the seed that is red': [[OTHER, RED], '10 × 6 | 6 | 2 | 4 | 0.9 · 4.2 | RED: seed 42 I1, I3'],
    'a fault that was not run': [[NOT_RUN], ' | 0 | 0 | 0 |  | seed 42 not run, no faketime'],
    'the seed that was not run': [
      [OTHER, NOT_RUN],
      '10 × 6 | 3 | 0 | 2 | 0.9 | seed 42 not run, no faketime',
    ],
    'the loads of the seeds if they differ': [
      [result({ load: { rate: 10, endpoints: 7 } }, 7), GREEN],
      '10 × 7 · 10 × 6 | 6 | 0 | 4 | 4.2 · 4.2 | green, 2 of 2',
    ],
  };
  for (const [what, [results, row]] of Object.entries(ROWS))
    it(`shows ${what}`, () => expect(tableOf(results).split('\n')[2]).to.equal(`| 7 | a crash | ${row} |`));
});

describe('results', () => {
  it('keep the last result of a fault with a seed, ordered by fault and seed', () => {
    const first = { ...GREEN, number: 1 };
    expect(mergeResults([RED, OTHER], [first, GREEN])).to.deep.equal([first, OTHER, GREEN]);
  });

  it('report faults with too few seeds, not counting those that were not run', () => {
    const faults = [{ number: 7 }];
    const tooFew = ['fault 7 was run with 1 of 2 seeds'];
    expect(faultsWithTooFewSeeds(faults, [RED, OTHER], 2)).to.deep.equal([]);
    expect(faultsWithTooFewSeeds(faults, [GREEN], 2)).to.deep.equal(tooFew);
    expect(faultsWithTooFewSeeds(faults, [NOT_RUN, OTHER], 2)).to.deep.equal(tooFew);
    expect(faultsWithTooFewSeeds([...faults, { number: 8 }], [GREEN], 1)).to.deep.equal([
      'fault 8 was run with 0 of 1 seeds',
    ]);
  });
});
