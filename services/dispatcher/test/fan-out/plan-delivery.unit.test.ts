import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { aDelivery, anEndpoint, ENDPOINT_ID, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { planDelivery } from '../../src/fan-out/plan-delivery.js';
import { aReadEvent, PAYLOAD } from './events.js';

const INSERTED = later(250);
const plan = (endpoint: Endpoint, event = aReadEvent()) => planDelivery(event, endpoint, INSERTED);

describe('planDelivery', () => {
  it('creates a row that is due at the time of the insert and dated by the event', () => {
    const id = deliveryIdOf({ eventId: PAYLOAD.eventId, occurredAt: NOON }, ENDPOINT_ID);
    expect(plan(anEndpoint())).to.deep.equal(
      aDelivery({ id, payload: PAYLOAD, createdAt: NOON, dueAt: INSERTED }),
    );
  });

  it('creates the same row each time and another one for each event and endpoint', () => {
    const other = anEndpoint({ id: idFor('endpoint', 'second') });
    const ids = [
      plan(anEndpoint()),
      plan(anEndpoint()),
      plan(other),
      plan(anEndpoint(), aReadEvent({ name: 'another' })),
    ].map((row) => row?.id);
    expect(ids[1]).to.equal(ids[0]);
    expect(new Set(ids).size).to.equal(3);
  });

  const subscribed = (since: Date) =>
    anEndpoint({
      subscriptions: [{ eventType: 'billing.plan_changed', since }],
      enabledSince: later(-60_000),
    });
  const cases: readonly [string, Endpoint, boolean][] = [
    ['an endpoint that is disabled', anEndpoint({ enabled: false }), false],
    ['an endpoint that is deleted', anEndpoint({ deletedAt: later(-1) }), false],
    ['an endpoint without a subscription to the type', anEndpoint({ subscriptions: [] }), false],
    ['an endpoint that subscribed right before the event', subscribed(later(-1)), true],
    ['an endpoint that subscribed five seconds after the event', subscribed(later(5_000)), true],
    ['an endpoint that subscribed later than that', subscribed(later(5_001)), false],
    [
      'an endpoint that was enabled five seconds after the event',
      anEndpoint({ enabledSince: later(5_000) }),
      true,
    ],
    ['an endpoint that was enabled later than that', anEndpoint({ enabledSince: later(5_001) }), false],
  ];
  for (const [name, endpoint, owed] of cases) {
    it(`creates ${owed ? 'a' : 'no'} row for ${name}`, () => {
      expect(plan(endpoint) !== null).to.equal(owed);
    });
  }
});
