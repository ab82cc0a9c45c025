import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { aDelivery, anEndpoint, ENDPOINT_ID, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { planDeliveries } from '../../src/fan-out/plan-deliveries.js';
import { aReadEvent, PAYLOAD } from './events.js';

const OTHER_WORKSPACE = idFor('workspace', 'other');
const INSERTED = later(250);
const plan = (endpoints: readonly Endpoint[], events = [aReadEvent()]) => [
  ...planDeliveries(events, endpoints, INSERTED),
];

describe('planDeliveries', () => {
  it('creates a row that is due at the time of the insert and dated by the event', () => {
    const id = deliveryIdOf({ eventId: PAYLOAD.eventId, occurredAt: NOON }, ENDPOINT_ID);
    expect(plan([anEndpoint()])).to.deep.equal([
      aDelivery({ id, payload: PAYLOAD, createdAt: NOON, dueAt: INSERTED }),
    ]);
  });

  it('yields the same rows each time, independently of other events', () => {
    const [alone] = plan([anEndpoint()]);
    const second = anEndpoint({ id: idFor('endpoint', 'second') });
    const among = plan([second, anEndpoint()], [aReadEvent({ name: 'before' }), aReadEvent()]);
    expect(among.map(({ id }) => id)).to.include(alone?.id);
  });

  it('yields one row for each event and endpoint', () => {
    const endpoints = ['a', 'b', 'c'].map((name) => anEndpoint({ id: idFor('endpoint', name) }));
    const rows = plan(endpoints, [aReadEvent(), aReadEvent({ name: 'another' })]);
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(6);
    expect(new Set(rows.map(({ endpointId, payload }) => `${endpointId} ${payload.eventId}`)).size).to.equal(
      6,
    );
  });

  it('yields rows only for endpoints of the same workspace', () => {
    const elsewhere = anEndpoint({ id: idFor('endpoint', 'elsewhere'), workspaceId: OTHER_WORKSPACE });
    const events = [aReadEvent(), aReadEvent({ workspaceId: OTHER_WORKSPACE, name: 'theirs' })];
    const rows = plan([anEndpoint(), elsewhere], events);
    expect(rows.map(({ workspaceId, endpointId }) => [workspaceId, endpointId])).to.deep.equal([
      [anEndpoint().workspaceId, ENDPOINT_ID],
      [OTHER_WORKSPACE, elsewhere.id],
    ]);
    for (const { workspaceId, payload } of rows) expect(payload.workspaceId).to.equal(workspaceId);
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
    it(`yields ${owed ? 'a' : 'no'} row for ${name}`, () => {
      expect(plan([endpoint])).to.have.length(owed ? 1 : 0);
    });
  }
});
