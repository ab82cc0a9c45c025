import { expect } from 'chai';
import type { EndpointFields } from '../../src/domain/endpoint.js';
import { EVENT_TYPES } from '../../src/domain/event-type.js';
import { owedOf } from '../../src/domain/owed.js';
import { anEndpoint, later, NOON, type Overrides } from '../../src/testing/builders.js';

const planChangedAt = (milliseconds: number) =>
  ({ eventType: 'billing.plan_changed', occurredAt: later(milliseconds) }) as const;
/** What an endpoint is owed: `delivery`, `nothing`, or `held` with the start of the period in milliseconds after noon. */
function owed(overrides: Overrides<EndpointFields>, milliseconds: number): string {
  const found = owedOf(anEndpoint(overrides), planChangedAt(milliseconds));
  if (found === null) return 'nothing';
  return found.kind === 'held' ? `held ${found.since.getTime() - NOON.getTime()}` : 'delivery';
}

describe('owedOf', () => {
  it('owes deliveries from the creation of the endpoint on, and up to five seconds before, because clocks differ', () => {
    expect([0, 86_400_000, -5_000, -5_001].map((at) => owed({}, at))).to.deep.equal([
      'delivery',
      'delivery',
      'delivery',
      'nothing',
    ]);
  });

  it('owes nothing of types without a subscription', () => {
    const endpoint = anEndpoint({ eventTypes: ['billing.plan_changed'] });
    const types = EVENT_TYPES.filter((eventType) => owedOf(endpoint, { eventType, occurredAt: NOON }));
    expect(types).to.deep.equal(['billing.plan_changed']);
    expect(owed({ subscriptions: [] }, 0)).to.equal('nothing');
  });

  it('owes a type since the start of its own subscription', () => {
    const subscriptions = [
      { eventType: 'api_token.created', since: NOON },
      { eventType: 'billing.plan_changed', since: later(60_000) },
    ] as const;
    expect([54_999, 55_000].map((at) => owed({ subscriptions }, at))).to.deep.equal(['nothing', 'delivery']);
  });

  it('owes a type since the oldest of the subscriptions that match it', () => {
    const subscriptions = [
      { eventType: 'billing.plan_changed', since: later(60_000) },
      { eventType: 'billing.*', since: NOON },
    ] as const;
    expect(owed({ subscriptions }, 0)).to.equal('delivery');
  });

  it('owes nothing from before the last enabling if there was no disabled period', () => {
    const endpoint = { enabledSince: later(60_000) };
    expect([54_999, 55_000].map((at) => owed(endpoint, at))).to.deep.equal(['nothing', 'delivery']);
  });

  it('owes nothing to a deleted endpoint', () => {
    expect(owed({ deletedAt: later(1) }, 0)).to.equal('nothing');
    expect(owed({ deletedAt: later(1), enabled: false }, 0)).to.equal('nothing');
  });

  it('holds deliveries of a disabled endpoint, also of events from before it was disabled', () => {
    const endpoint = { enabled: false, disabledAt: later(60_000) };
    expect([10_000, 70_000, -60_000].map((at) => owed(endpoint, at))).to.deep.equal([
      'held 60000',
      'held 60000',
      'nothing',
    ]);
  });

  it('identifies the period by the last enabling if an older version disabled the endpoint', () => {
    expect(owed({ enabled: false, enabledSince: later(5_000) }, 70_000)).to.equal('held 5000');
    const stale = { enabled: false, enabledSince: later(5_000), disabledAt: NOON };
    expect(owed(stale, 70_000), 'with a time from an earlier period').to.equal('held 5000');
  });

  describe('for an endpoint that was disabled from 10 s to 60 s after noon', () => {
    const lastPeriod = { since: later(10_000), enabledSince: NOON };
    const enabled = { enabledSince: later(60_000), lastPeriod };
    const cases = [
      ['an event from before the enabled time before it', -10_000, 'nothing'],
      ['an event from before it that is handled only now', 9_999, 'delivery'],
      ['an event from within it that is handled after its end', 10_000, 'held 10000'],
      ['an event from its last moments', 54_999, 'held 10000'],
      ['an event from its end', 55_000, 'delivery'],
    ] as const;
    for (const [name, at, expected] of cases) {
      it(`owes ${expected} of ${name}`, () => expect(owed(enabled, at)).to.equal(expected));
    }

    it('holds later events in the next period', () => {
      const again = { ...enabled, enabled: false, disabledAt: later(90_000) };
      expect([9_999, 20_000, 70_000, 95_000].map((at) => owed(again, at))).to.deep.equal([
        'held 90000',
        'held 10000',
        'held 90000',
        'held 90000',
      ]);
    });
  });
});
