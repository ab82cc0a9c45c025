import type { Subscription } from '@postrider/shared/domain/endpoint';
import { subscriptionsMatching } from '@postrider/shared/domain/event-type';
import { subscriptionTo } from '@postrider/shared/domain/owed';
import { anEndpoint, idFor, later } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import fc from 'fast-check';
import { indexSubscribers } from '../../src/fan-out/index-subscribers.js';

const SUBSCRIBED = [
  '*',
  'order.*',
  'order.line.*',
  'order.paid',
  'order.line.added',
  'refund.*',
  'refund.made',
];
const EVENTS = ['order.paid', 'order.line.added', 'order.line.removed', 'refund.made', 'invoice.sent'];

const since = fc.integer({ min: 0, max: 3 }).map(later);
const plain = fc.record({ eventType: fc.constantFrom(...SUBSCRIBED), since });
const partOfAll = fc.record({ eventType: fc.constantFrom(...SUBSCRIBED.slice(1)), since });
const widened = fc.record({
  eventType: fc.constant('*'),
  since,
  earlier: fc.uniqueArray(partOfAll, { minLength: 1, maxLength: 3, selector: ({ eventType }) => eventType }),
});
const subscription: fc.Arbitrary<Subscription> = fc.oneof({ arbitrary: plain, weight: 4 }, widened);
const subscribers = fc
  .array(fc.uniqueArray(subscription, { maxLength: 5, selector: ({ eventType }) => eventType }), {
    maxLength: 8,
  })
  .map((each) =>
    each.map((subscriptions, index) =>
      subscriberOf(anEndpoint({ id: idFor('endpoint', String(index)), subscriptions })),
    ),
  );

describe('indexSubscribers', () => {
  it('finds the others beside a subscriber with a damaged time', () => {
    const damaged = ['*', 'order.*'].map((eventType) => ({ eventType, since: 'soon' as unknown as Date }));
    const some = [damaged, [{ eventType: '*', since: later(1) }]].map((subscriptions, index) =>
      subscriberOf(anEndpoint({ id: idFor('endpoint', String(index)), subscriptions })),
    );
    const found = indexSubscribers(some, ['*', 'order.*'])('order.paid');
    expect(found.map(({ endpoint: { id } }) => id)).to.deep.equal(some.map(({ id }) => id));
  });

  it('finds what looking at the subscriptions of each endpoint finds, in the same order', () => {
    fc.assert(
      fc.property(subscribers, (some) => {
        const subscribersOf = indexSubscribers(some, EVENTS.flatMap(subscriptionsMatching));
        for (const type of EVENTS) {
          const expected = some.flatMap((endpoint) => {
            const oldest = subscriptionTo(endpoint.subscriptions, type);
            return oldest === null ? [] : [{ id: endpoint.id, since: oldest.since }];
          });
          const found = subscribersOf(type).map(({ endpoint: { id }, since }) => ({ id, since }));
          expect(found, type).to.deep.equal(expected);
        }
      }),
    );
  });
});
