import { expect } from 'chai';
import { checkAcceptance, countCalls } from './acceptance.js';

/** Checks calls, accepted or not, at these times; the fault lasts from 1000 to 2000. */
const check = (calls: readonly (readonly [at: number, accepted: boolean])[], minAccepted?: number) => {
  const made = calls.map(([answeredAt, accepted]) => ({ answeredAt, accepted }));
  const counts = countCalls(made, { from: 1_000, to: 2_000 });
  return checkAcceptance(counts, minAccepted === undefined ? {} : { minAccepted }).map(({ what }) => what);
};
const tooFew = (accepted: number, all: number) => [
  `only ${accepted} of ${all} calls during the fault were accepted`,
];

describe('accepted calls during a fault', () => {
  const half = [
    [1_000, false],
    [1_001, true],
  ] as const;

  it('are enough if there is one, unless the fault requires more', () => {
    expect(check(half)).to.deep.equal([]);
    expect(check(half, 0.9)).to.deep.equal(tooFew(1, 2));
  });

  it('are too few if there is none', () => {
    expect(check([[1_000, false]])).to.deep.equal(tooFew(0, 1));
    expect(check([])).to.deep.equal(tooFew(0, 0));
    expect(check([], 0.9)).to.deep.equal(tooFew(0, 0));
  });

  it('do not include those answered before or after it', () => {
    const around = [999, 2_000].map((at) => [at, true] as const);
    expect(check(around)).to.deep.equal(tooFew(0, 0));
  });
});
