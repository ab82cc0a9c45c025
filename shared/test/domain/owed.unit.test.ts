import { expect } from 'chai';
import fc from 'fast-check';
import { enableAgain } from '../../src/domain/enable-again.js';
import type { Endpoint, EndpointFields } from '../../src/domain/endpoint.js';
import { EVENT_TYPES } from '../../src/domain/event-type.js';
import { owedOf } from '../../src/domain/owed.js';
import { anEndpoint, later, NOON, type Overrides } from '../../src/testing/builders.js';

const HOUR_MS = 3_600_000;
const planChangedAt = (milliseconds: number) =>
  ({ eventType: 'billing.plan_changed', occurredAt: later(milliseconds) }) as const;
/** What an endpoint is owed: `delivery`, `nothing`, or `held` with the start of the period in milliseconds after noon. */
function owed(overrides: Overrides<EndpointFields>, milliseconds: number): string {
  return owedBy(anEndpoint(overrides), milliseconds);
}
function owedBy(endpoint: Endpoint, milliseconds: number): string {
  const found = owedOf(endpoint, planChangedAt(milliseconds));
  if (found === null) return 'nothing';
  return found.kind === 'held' ? `held ${found.since.getTime() - NOON.getTime()}` : 'delivery';
}
const disableAt = (endpoint: Endpoint, milliseconds: number): Endpoint =>
  ({
    ...endpoint,
    enabled: false,
    disabledReason: 'operator',
    disabledAt: later(milliseconds),
  }) as Endpoint;
const enableAt = (endpoint: Endpoint, milliseconds: number): Endpoint =>
  enableAgain(endpoint, later(milliseconds)).endpoint;
/** An endpoint that was enabled at noon and disabled and enabled by turns at these times after it. */
const switchedAt = (...times: readonly number[]): Endpoint =>
  times.reduce(
    (endpoint, at) => (endpoint.enabled ? disableAt(endpoint, at) : enableAt(endpoint, at)),
    anEndpoint(),
  );

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

  describe('for an endpoint that was disabled and enabled several times', () => {
    it('owes each event from before the last disabled period what its moment says', () => {
      const endpoint = switchedAt(10_000, 60_000, 100_000, 160_000, 200_000, 260_000);
      const moments = [-6_000, 9_999, 10_000, 54_999, 55_000, 99_999, 100_000, 155_000, 200_000, 255_000];
      expect(moments.map((at) => owedBy(endpoint, at))).to.deep.equal([
        'nothing',
        'delivery',
        'held 10000',
        'held 10000',
        'delivery',
        'delivery',
        'held 100000',
        'delivery',
        'held 200000',
        'delivery',
      ]);
    });

    it('holds what is owed of an earlier enabled time in the current period', () => {
      const endpoint = switchedAt(10_000, 60_000, 100_000, 160_000, 200_000);
      expect([9_999, 20_000, 70_000, 110_000].map((at) => owedBy(endpoint, at))).to.deep.equal([
        'held 200000',
        'held 10000',
        'held 200000',
        'held 100000',
      ]);
    });

    it('owes nothing from before the periods that ended over an hour before the last enabling', () => {
      const atLimit = switchedAt(10_000, 60_000, 100_000, 60_000 + HOUR_MS);
      expect([9_999, 20_000, 70_000].map((at) => owedBy(atLimit, at))).to.deep.equal([
        'delivery',
        'held 10000',
        'delivery',
      ]);
      const beyond = switchedAt(10_000, 60_000, 100_000, 60_001 + HOUR_MS);
      expect([9_999, 20_000, 70_000, 110_000].map((at) => owedBy(beyond, at))).to.deep.equal([
        'nothing',
        'nothing',
        'delivery',
        'held 100000',
      ]);
    });

    it('remembers 20 periods besides the last one', () => {
      const times = Array.from({ length: 44 }, (_, index) => (index + 1) * 20_000);
      const endpoint = switchedAt(...times);
      expect(endpoint.earlierPeriods).to.have.length(20);
      expect([10_000, 30_000, 50_000, 70_000].map((at) => owedBy(endpoint, at))).to.deep.equal([
        'nothing',
        'nothing',
        'delivery',
        'held 60000',
      ]);
    });

    it('owes nothing of a period that a process of an older version forgot, and keeps to the others', () => {
      const before = switchedAt(10_000, 60_000, 100_000, 160_000, 200_000);
      const byOlder = {
        ...enableAt(before, 260_000),
        lastPeriod: { since: later(200_000), enabledSince: later(160_000) },
        earlierPeriods: before.earlierPeriods,
      } as Endpoint;
      const moments = [9_999, 20_000, 70_000, 110_000, 170_000, 210_000, 270_000];
      const expected = [
        'delivery',
        'held 10000',
        'nothing',
        'nothing',
        'delivery',
        'held 200000',
        'delivery',
      ];
      expect(moments.map((at) => owedBy(byOlder, at))).to.deep.equal(expected);
      const again = enableAt(disableAt(byOlder, 300_000), 360_000);
      expect(moments.map((at) => owedBy(again, at))).to.deep.equal(expected);
    });

    it('owes every event what its moment says, for any times within an hour', () => {
      const pauses = fc.array(fc.integer({ min: 1, max: 80_000 }), { maxLength: 43 });
      const moments = fc.array(fc.integer({ min: -10_000, max: HOUR_MS }), { minLength: 1 });
      const offsets = fc.array(fc.integer({ min: -6_000, max: 6_000 }), { minLength: 1 });
      fc.assert(
        fc.property(pauses, moments, offsets, (waits, anywhere, nearby) => {
          const times = waits.map((_, index) => waits.slice(0, index + 1).reduce((sum, ms) => sum + ms));
          const endpoint = switchedAt(...times);
          const near = times.flatMap((at) => nearby.map((offset) => at + offset));
          for (const at of [...anywhere, ...near])
            expect(owedBy(endpoint, at), `at ${at}`).to.equal(owedByTimes(times, at));
        }),
      );
    });
  });
});

/** The same, from the times at which an endpoint was disabled and enabled by turns. */
function owedByTimes(times: readonly number[], moment: number): string {
  const disabled = times.filter((_, index) => index % 2 === 0);
  const enabled = [0, ...times.filter((_, index) => index % 2 === 1)];
  const before = enabled.findLastIndex((at) => moment >= at - 5_000);
  if (before === -1) return 'nothing';
  const end = disabled[before] ?? Number.POSITIVE_INFINITY;
  if (moment >= end) return `held ${end}`;
  return disabled.length === enabled.length ? `held ${disabled.at(-1)}` : 'delivery';
}
