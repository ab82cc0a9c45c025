import { type Subscription, subscriptionStarts } from '@postrider/shared/domain/endpoint';
import { subscriptionsMatching } from '@postrider/shared/domain/event-type';
import { owedOf, subscriptionTo } from '@postrider/shared/domain/owed';
import { anEndpoint, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import fc from 'fast-check';
import { resubscribe } from '../../src/domain/resubscribe.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What an endpoint subscribes to, from the first minute on, changed once a minute. */
function changedEachMinute(...changes: readonly (readonly string[])[]): readonly Subscription[] {
  return changes.reduce<readonly Subscription[]>(
    (before, eventTypes, minute) => resubscribe(before, eventTypes, later(minute * MINUTE)),
    [],
  );
}

const startOf = (subscriptions: readonly Subscription[], type: string) =>
  subscriptionTo(subscriptions, type)?.since ?? null;
const owed = (subscriptions: readonly Subscription[], eventType: string, minute: number) =>
  owedOf(anEndpoint({ subscriptions }), { eventType, occurredAt: later(minute * MINUTE) })?.kind ?? null;

describe('resubscribe', () => {
  it('keeps owing what was published before a pattern was replaced by a name', () => {
    const narrowed = changedEachMinute(['*'], ['invoice.paid']);
    expect(owed(narrowed, 'invoice.paid', 0.5)).to.equal('delivery');
    expect(startOf(narrowed, 'invoice.paid')).to.deep.equal(later(0));
    expect(owed(narrowed, 'order.paid', 0.5)).to.equal(null);
  });

  it('keeps owing what was published before a name was replaced by a pattern, but nothing else of that time', () => {
    for (const wider of ['invoice.*', '*']) {
      const widened = changedEachMinute(['invoice.paid'], [wider]);
      expect(widened.map(({ eventType }) => eventType)).to.deep.equal([wider]);
      expect(owed(widened, 'invoice.paid', 0.5), wider).to.equal('delivery');
      expect(owed(widened, 'invoice.sent', 0.5), wider).to.equal(null);
      expect(owed(widened, 'invoice.sent', 1), wider).to.equal('delivery');
    }
  });

  it('starts a type again that nothing matched in between', () => {
    const again = changedEachMinute(['invoice.*'], ['order.paid'], ['*']);
    expect(startOf(again, 'invoice.paid')).to.deep.equal(later(2 * MINUTE));
    expect(startOf(again, 'order.paid')).to.deep.equal(later(MINUTE));
  });

  it('forgets replaced subscriptions once no event from before can be handled any more', () => {
    const widened = changedEachMinute(['invoice.paid'], ['*']);
    const after = (ms: number) => resubscribe(widened, ['*'], later(MINUTE + ms));
    expect(after(14 * DAY)).to.deep.equal(widened);
    expect(after(14 * DAY + 1)).to.deep.equal([{ eventType: '*', since: later(MINUTE) }]);
  });

  it('keeps no more than 500 replaced subscriptions', () => {
    const names = (start: string) => Array.from({ length: 500 }, (_, n) => `${start}.n${n}`);
    const widened = changedEachMinute(names('a'), [...names('b'), 'a.*'], ['b.*', 'a.*']);
    expect(subscriptionStarts(widened)).to.have.length(502);
  });

  it('does not grow when the same changes are made again and again', () => {
    const changes = [
      ['invoice.paid', 'order.paid'],
      ['*'],
      ['invoice.*', 'order.paid'],
      ['*', 'invoice.sent'],
    ];
    const [once, often] = [1, 50].map((times) =>
      changedEachMinute(...Array.from({ length: times }, () => changes).flat()),
    );
    expect(subscriptionStarts(often!).length).to.equal(subscriptionStarts(once!).length);
  });

  const TYPES = ['*', 'a.*', 'a.b.*', 'a.b.c', 'a.b.d', 'a.e', 'f.g'];
  const EVENTS = ['a.b.c', 'a.b.d', 'a.e', 'f.g'];
  const changes = fc.array(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  });

  it('lets each type start with the first change since which all have matched it', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const subscriptions = changedEachMinute(...all);
        for (const type of EVENTS) {
          const names = subscriptionsMatching(type);
          const gap = all.findLastIndex((eventTypes) => !eventTypes.some((name) => names.includes(name)));
          const expected = gap === all.length - 1 ? null : later((gap + 1) * MINUTE);
          expect(startOf(subscriptions, type), type).to.deep.equal(expected);
        }
        expect(subscriptions.map(({ eventType }) => eventType)).to.deep.equal(all.at(-1));
        expect(subscriptionStarts(subscriptions).length).to.be.at.most(TYPES.length);
      }),
    );
  });
});
