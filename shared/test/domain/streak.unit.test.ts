import { expect } from 'chai';
import { enableAgain } from '../../src/domain/enable-again.js';
import { clearStreak, countAttempt } from '../../src/domain/streak.js';
import { aFailingEndpoint, anEndpoint, later, NOON } from '../../src/testing/builders.js';

const FAILED = { kind: 'permanent', reason: 'http_status' } as const;
const DELIVERED = { kind: 'delivered' } as const;

describe('countAttempt', () => {
  it('counts a failure and stores the start of the outage', () => {
    const step = countAttempt(anEndpoint({ streakVersion: 4 }), FAILED, later(5));
    expect(step.change).to.deep.equal({ version: 5, before: 0, after: 1 });
    expect(step.endpoint).to.include({ consecutiveFailures: 1, streakVersion: 5, enabled: true });
    expect(step.endpoint.failingSince).to.deep.equal(later(5));
  });

  it('keeps the start of an outage during the outage', () => {
    const endpoint = aFailingEndpoint(3, { failingSince: NOON });
    expect(countAttempt(endpoint, FAILED, later(5)).endpoint.failingSince).to.deep.equal(NOON);
  });

  it('ends an outage with a success', () => {
    const step = countAttempt(aFailingEndpoint(3, { streakVersion: 8 }), DELIVERED, NOON);
    expect(step.change).to.deep.equal({ version: 9, before: 3, after: 0 });
    expect(step.endpoint).to.include({ consecutiveFailures: 0, failingSince: null, streakVersion: 9 });
    expect(step.disables).to.equal(false);
  });

  it('changes nothing for a success on a streak of 0', () => {
    const endpoint = anEndpoint();
    expect(countAttempt(endpoint, DELIVERED, NOON)).to.deep.equal({
      endpoint,
      change: null,
      disables: false,
    });
  });

  it('keeps the endpoint enabled after the 19th failure', () => {
    const step = countAttempt(aFailingEndpoint(18), FAILED, NOON);
    expect(step.disables).to.equal(false);
    expect(step.endpoint).to.include({ consecutiveFailures: 19, enabled: true, disabledReason: null });
  });

  it('disables the endpoint with the 20th failure', () => {
    const step = countAttempt(aFailingEndpoint(19), FAILED, NOON);
    expect(step.disables).to.equal(true);
    expect(step.change).to.deep.equal({ version: 20, before: 19, after: 20 });
    expect(step.endpoint).to.include({
      consecutiveFailures: 20,
      enabled: false,
      disabledReason: 'consecutive_failures',
    });
  });

  it('plans recovery probes from then on only for an endpoint that shall recover by them', () => {
    const disable = (settings: object) =>
      countAttempt(aFailingEndpoint(19, settings), FAILED, later(5)).endpoint;
    expect(disable({ recovery: 'probe' }).probeAt).to.deep.equal(later(5));
    expect(disable({ recovery: 'manual' })).to.not.have.property('probeAt');
    expect(disable({})).to.not.have.property('probeAt');
  });

  it('keeps it enabled when the 20th attempt is a success', () => {
    const step = countAttempt(aFailingEndpoint(19), DELIVERED, NOON);
    expect(step.endpoint).to.include({ consecutiveFailures: 0, enabled: true, disabledReason: null });
  });

  describe('of an endpoint that was enabled again', () => {
    const disabled = aFailingEndpoint(20, { enabled: false, disabledReason: 'consecutive_failures' });
    const { endpoint } = enableAgain(disabled, later(10));

    it('does not count a failure that ended before', () => {
      expect(countAttempt(endpoint, FAILED, later(9))).to.deep.equal({
        endpoint,
        change: null,
        disables: false,
      });
    });

    it('counts a failure that ended at that time or later', () => {
      expect(countAttempt(endpoint, FAILED, later(10)).endpoint.consecutiveFailures).to.equal(1);
    });

    it('ends an outage with a success that ended before', () => {
      const failed = countAttempt(endpoint, FAILED, later(11)).endpoint;
      expect(countAttempt(failed, DELIVERED, later(9)).endpoint.consecutiveFailures).to.equal(0);
    });
  });

  it('counts a failure that ended before the endpoint was created, by a clock that was corrected since', () => {
    const endpoint = anEndpoint({ enabledSince: later(60) });
    expect(countAttempt(endpoint, FAILED, later(5)).endpoint.consecutiveFailures).to.equal(1);
  });

  const CLOSED = [
    [
      'disabled by its failures',
      aFailingEndpoint(20, { enabled: false, disabledReason: 'consecutive_failures' }),
    ],
    ['disabled by an operator', aFailingEndpoint(7, { enabled: false, disabledReason: 'operator' })],
    ['deleted', aFailingEndpoint(19, { deletedAt: NOON })],
  ] as const;
  for (const [state, endpoint] of CLOSED) {
    it(`does not change an endpoint that is ${state}`, () => {
      const unmoved = { endpoint, change: null, disables: false };
      expect(countAttempt(endpoint, FAILED, later(5))).to.deep.equal(unmoved);
      expect(countAttempt(endpoint, DELIVERED, later(5))).to.deep.equal(unmoved);
    });
  }
});

describe('clearStreak', () => {
  it('resets the streak as a separate change in the chain', () => {
    const cleared = clearStreak(aFailingEndpoint(20, { streakVersion: 31 }), NOON);
    expect(cleared.change).to.deep.equal({ version: 32, before: 20, after: 0 });
    expect(cleared.endpoint).to.include({ consecutiveFailures: 0, failingSince: null, streakVersion: 32 });
  });

  it('changes nothing on a streak of 0', () => {
    const endpoint = anEndpoint();
    expect(clearStreak(endpoint, NOON)).to.deep.equal({ endpoint, change: null });
  });

  it('starts the next outage at the next failure', () => {
    const { endpoint } = clearStreak(aFailingEndpoint(12, { failingSince: NOON }), later(10));
    expect(countAttempt(endpoint, FAILED, later(20)).endpoint.failingSince).to.deep.equal(later(20));
  });
});
