import { expect } from 'chai';
import { acceptance, answersIn } from './acceptance.js';
import type { Call } from './generator.js';

const SPAN = { began: 1_000, ended: 2_000 };
const calls = (...accepted: boolean[]): Call[] =>
  accepted.map((isAccepted, index) => ({ answeredAt: 1_000 + index, accepted: isAccepted }));
const found = (made: readonly Call[], leastAccepted?: number) =>
  acceptance(answersIn(made, SPAN), leastAccepted === undefined ? {} : { leastAccepted }).map(
    ({ what }) => what,
  );

describe('the load during a fault', () => {
  it('is enough when one call was accepted, unless more is wanted', () => {
    expect(found(calls(false, true))).to.deep.equal([]);
    expect(found(calls(false, true), 0.9)).to.deep.equal([
      '1 of 2 calls that were answered during the fault were accepted: too few',
    ]);
  });

  it('is none when nothing was accepted', () => {
    expect(found(calls(false, false))).to.deep.equal([
      '0 of 2 calls that were answered during the fault were accepted: too few',
    ]);
    expect(found([])).to.have.length(1);
    expect(found([], 0.9)).to.have.length(1);
  });

  it('does not count what was answered before or after', () => {
    const around = [999, 2_000].map((answeredAt) => ({ answeredAt, accepted: true }));
    expect(found(around)).to.have.length(1);
  });

  it('may be none where the api is the victim', () => {
    expect(found(calls(false), 0)).to.deep.equal([]);
  });
});
