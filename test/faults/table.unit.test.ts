import { expect } from 'chai';
import { isGreen, type Report } from './run-fault.js';
import { tableOf } from './table.js';

const GREEN: Report = {
  fault: { number: 7, name: 'something dies', quick: true, run: async () => {} },
  events: 100,
  deliveries: 500,
  harm: 3,
  repeatedPosts: 2,
  recoveredAfterMs: 4_200,
  violations: [],
  logs: null,
};
const RED: Report = {
  ...GREEN,
  violations: [
    { invariant: 'I1', what: 'one' },
    { invariant: 'I1', what: 'another' },
    { invariant: 'I3', what: 'a third' },
  ],
};

describe("the faults' table", () => {
  it('is green only when nothing was found and recovery took less than a minute', () => {
    expect(isGreen(GREEN)).to.equal(true);
    expect(isGreen(RED)).to.equal(false);
    expect(isGreen({ ...GREEN, recoveredAfterMs: 60_001 })).to.equal(false);
    expect(isGreen({ ...GREEN, recoveredAfterMs: null })).to.equal(false);
  });

  it('has a row per fault that counts what was lost and names what was broken', () => {
    const [, , green, red, slow] = tableOf([GREEN, RED, { ...GREEN, recoveredAfterMs: null }]).split('\n');
    expect(green).to.equal('| 7 | something dies | 100 | 500 | 3 | 0 | 2 | 4.2 s | green |');
    expect(red).to.equal('| 7 | something dies | 100 | 500 | 3 | 2 | 2 | 4.2 s | RED: I1, I3 |');
    expect(slow).to.equal(
      '| 7 | something dies | 100 | 500 | 3 | 0 | 2 | never | RED: too slow to recover |',
    );
  });
});
