import { expect } from 'chai';
import { allowanceOf, type GuardState, nextState, WATCHING } from '../../src/guard/guard-state.js';

const AT = { now: 10_000, rampMs: 5_000, canariesNeeded: 3, referencesHoldMs: 30_000 };
const holding = (...canaries: boolean[]): GuardState => ({
  kind: 'holding',
  since: 1_000,
  until: Number.POSITIVE_INFINITY,
  canaries,
});
const RESUMING: GuardState = { kind: 'resuming', since: 10_000 };

describe('state of the outage guard', () => {
  it('holds at an outage and stays as it is without one', () => {
    expect(nextState(WATCHING, { kind: 'outage' }, AT)).to.deep.equal({
      kind: 'holding',
      since: 10_000,
      until: Number.POSITIVE_INFINITY,
      canaries: [],
    });
    for (const event of [{ kind: 'time' }, { kind: 'canary', reached: false }] as const)
      expect(nextState(WATCHING, event, AT)).to.equal(WATCHING);
  });

  it('resumes when three of the last five canaries reached a server', () => {
    const reached = { kind: 'canary', reached: true } as const;
    const failed = { kind: 'canary', reached: false } as const;
    expect(nextState(holding(true, false, true, false), reached, AT)).to.deep.equal(RESUMING);
    expect(nextState(holding(true, true), failed, AT)).to.deep.equal(holding(true, true, false));
    expect(nextState(holding(true, true, false, false, false), reached, AT)).to.deep.equal(
      holding(true, false, false, false, true),
    );
    expect(nextState(holding(true, true), { kind: 'time' }, AT)).to.deep.equal(holding(true, true));
  });

  it('resumes by as many canaries as the rule needs', () => {
    const reached = { kind: 'canary', reached: true } as const;
    expect(nextState(holding(), reached, { ...AT, canariesNeeded: 1 })).to.deep.equal(RESUMING);
    const all = { ...AT, canariesNeeded: 5 };
    expect(nextState(holding(true, true, true), reached, all)).to.have.property('kind', 'holding');
    expect(nextState(holding(false, true, true, true, true), reached, all)).to.deep.equal(RESUMING);
  });

  it('resumes after half a minute without any canary if only the references failed', () => {
    const held = nextState(WATCHING, { kind: 'references' }, AT);
    expect(held).to.include({ kind: 'holding', until: 40_000 });
    expect(nextState(held, { kind: 'time' }, { ...AT, now: 39_999 })).to.equal(held);
    expect(nextState(held, { kind: 'time' }, { ...AT, now: 40_000 })).to.deep.equal({
      kind: 'resuming',
      since: 40_000,
    });
    const longer = nextState(WATCHING, { kind: 'references' }, { ...AT, referencesHoldMs: 90_000 });
    expect(longer).to.include({ until: 100_000 });
  });

  it('watches again after the ramp, and holds again at another outage', () => {
    expect(nextState(RESUMING, { kind: 'time' }, { ...AT, now: 14_999 })).to.equal(RESUMING);
    expect(nextState(RESUMING, { kind: 'time' }, { ...AT, now: 15_000 })).to.equal(WATCHING);
    expect(nextState(RESUMING, { kind: 'outage' }, AT)).to.have.property('kind', 'holding');
  });

  it('allows nothing while it holds, and more and more while it resumes', () => {
    const allowed = (state: GuardState, now: number) =>
      allowanceOf(state, { ...AT, now, maxInFlight: 1_000 });
    expect(allowed(WATCHING, 0)).to.equal(Number.POSITIVE_INFINITY);
    expect(allowed(holding(), 99_999)).to.equal(0);
    const ramp = [10_000, 11_000, 12_500, 15_000].map((now) => allowed(RESUMING, now));
    expect(ramp).to.deep.equal([16, 200, 500, 1_000]);
  });
});
