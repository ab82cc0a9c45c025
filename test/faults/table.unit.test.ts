import { expect } from 'chai';
import { merge, type Result } from './results.js';
import { isGreen } from './run-fault.js';
import { tableOf } from './table.js';

const GREEN: Result = {
  number: 7,
  name: 'something dies',
  seed: 42,
  day: '2026-01-31',
  events: 100,
  deliveries: 500,
  harm: 3,
  repeatedPosts: 2,
  recoveredAfterMs: 4_200,
  violations: [],
};
const RED: Result = {
  ...GREEN,
  violations: [
    { invariant: 'I1', what: 'one' },
    { invariant: 'I1', what: 'another' },
    { invariant: 'I3', what: 'a third' },
  ],
};
const rowOf = (...results: Result[]) => tableOf(results).split('\n')[2];

describe("the faults' table", () => {
  it('is green only when nothing was found and recovery took less than a minute', () => {
    expect(isGreen(GREEN)).to.equal(true);
    expect(isGreen(RED)).to.equal(false);
    expect(isGreen({ ...GREEN, recoveredAfterMs: 60_001 })).to.equal(false);
    expect(isGreen({ ...GREEN, recoveredAfterMs: null })).to.equal(false);
  });

  it('has a row per fault that counts what was lost and names what was broken', () => {
    expect(rowOf(GREEN)).to.equal('| 7 | something dies | 100 | 500 | 3 | 0 | 2 | 4.2 | green |');
    expect(rowOf(RED)).to.equal('| 7 | something dies | 100 | 500 | 3 | 2 | 2 | 4.2 | RED: seed 42 I1, I3 |');
    expect(rowOf({ ...GREEN, recoveredAfterMs: null })).to.equal(
      '| 7 | something dies | 100 | 500 | 3 | 0 | 2 | never | RED: seed 42 too slow to recover |',
    );
  });

  it('adds up the seeds of a fault', () => {
    const other = { ...GREEN, seed: 7, recoveredAfterMs: 950 };
    expect(rowOf(other, GREEN)).to.equal(
      '| 7 | something dies | 200 | 1000 | 6 | 0 | 4 | 0.9 · 4.2 | green, 2 of 2 |',
    );
    expect(rowOf(other, RED)).to.match(/RED: seed 42 I1, I3 \|$/);
  });

  it('shows the last result of a fault with a seed, in the order of the faults', () => {
    const first = { ...GREEN, number: 1 };
    const other = { ...GREEN, seed: 7 };
    expect(merge([RED, other], [first, GREEN])).to.deep.equal([first, other, GREEN]);
  });
});
