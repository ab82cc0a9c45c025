import { expect } from 'chai';
import { type Judged, type LeftOut, merge, type Result, tooFewSeeds } from './results.js';
import { isGreen } from './run-fault.js';
import { tableOf } from './table.js';

const GREEN: Judged = {
  kind: 'judged',
  number: 7,
  name: 'something dies',
  seed: 42,
  day: '2026-01-31',
  load: { rate: 10, endpoints: 6 },
  answers: { all: 90, accepted: 80 },
  events: 100,
  deliveries: 500,
  harm: 3,
  repeatedPosts: 2,
  recoveredAfterMs: 4_200,
  violations: [],
};
const RED: Judged = {
  ...GREEN,
  violations: [
    { invariant: 'I1', what: 'one' },
    { invariant: 'I1', what: 'another' },
    { invariant: 'I3', what: 'a third' },
  ],
};
const LEFT_OUT: LeftOut = {
  kind: 'left out',
  number: 7,
  name: 'something dies',
  seed: 42,
  day: '2026-01-31',
  lacks: 'faketime',
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
    expect(rowOf(GREEN)).to.equal('| 7 | something dies | 10 × 6 | 3 | 0 | 2 | 4.2 | green |');
    expect(rowOf(RED)).to.equal('| 7 | something dies | 10 × 6 | 3 | 2 | 2 | 4.2 | RED: seed 42 I1, I3 |');
    expect(rowOf({ ...GREEN, recoveredAfterMs: null })).to.equal(
      '| 7 | something dies | 10 × 6 | 3 | 0 | 2 | never | RED: seed 42 too slow to recover |',
    );
  });

  it('adds up the seeds of a fault', () => {
    const other = { ...GREEN, seed: 7, recoveredAfterMs: 950 };
    expect(rowOf(other, GREEN)).to.equal(
      '| 7 | something dies | 10 × 6 | 6 | 0 | 4 | 0.9 · 4.2 | green, 2 of 2 |',
    );
    expect(rowOf(other, RED)).to.match(/RED: seed 42 I1, I3 \|$/);
  });

  it('shows what was left out, and the load of each seed where they differ', () => {
    expect(rowOf(LEFT_OUT)).to.equal(
      '| 7 | something dies |  | 0 | 0 | 0 |  | seed 42 left out, no faketime |',
    );
    const other = { ...GREEN, seed: 7, load: { rate: 10, endpoints: 7 } };
    expect(rowOf(other, LEFT_OUT)).to.match(/ seed 42 left out, no faketime \|$/);
    expect(rowOf(other, GREEN)).to.include('| 10 × 7 · 10 × 6 |');
  });

  it('shows the last result of a fault with a seed, in the order of the faults', () => {
    const first = { ...GREEN, number: 1 };
    const other = { ...GREEN, seed: 7 };
    expect(merge([RED, other], [first, GREEN])).to.deep.equal([first, other, GREEN]);
  });
});

describe('the seeds of the table', () => {
  it('are too few while a fault was not judged with as many as wanted', () => {
    const faults = [{ number: 7 }];
    const other = { ...RED, seed: 7 };
    expect(tooFewSeeds(faults, [GREEN, other], 2)).to.deep.equal([]);
    expect(tooFewSeeds(faults, [GREEN], 2)).to.deep.equal(['fault 7 was judged with 1 of 2 seeds']);
    expect(tooFewSeeds(faults, [LEFT_OUT, other], 2)).to.deep.equal(['fault 7 was judged with 1 of 2 seeds']);
    expect(tooFewSeeds([...faults, { number: 8 }], [GREEN], 1)).to.deep.equal([
      'fault 8 was judged with 0 of 1 seeds',
    ]);
  });
});
