import { expect } from 'chai';
import { newEndpoint, originOf, receives } from '../../src/domain/endpoint.js';
import { EVENT_TYPES } from '../../src/domain/event-type.js';
import {
  anEndpoint,
  aSealedSecret,
  ENDPOINT_ID,
  later,
  NOON,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';

describe('newEndpoint', () => {
  const facts = {
    id: ENDPOINT_ID,
    workspaceId: WORKSPACE_ID,
    url: 'https://hooks.example.com/',
    description: null,
    eventTypes: ['api_token.created', 'billing.plan_changed'],
    enabled: true,
    secret: aSealedSecret(),
    createdAt: NOON,
  } as const;

  it('starts enabled, with a streak of 0 and a secret', () => {
    const endpoint = newEndpoint(facts);
    expect(endpoint).to.include({
      enabled: true,
      disabledReason: null,
      consecutiveFailures: 0,
      streakVersion: 0,
    });
    expect(endpoint).to.include({ failingSince: null, deletedAt: null });
    expect(endpoint.secrets).to.deep.equal({ version: 1, current: aSealedSecret(), previous: null });
  });

  it('subscribes to each of its types since its creation', () => {
    expect(newEndpoint(facts).subscriptions).to.deep.equal([
      { eventType: 'api_token.created', since: NOON },
      { eventType: 'billing.plan_changed', since: NOON },
    ]);
  });

  it('is disabled by the operator if it was created disabled', () => {
    const endpoint = newEndpoint({ ...facts, enabled: false });
    expect(endpoint).to.include({ enabled: false, disabledReason: 'operator' });
  });
});

describe('receives', () => {
  const planChangedAt = (milliseconds: number) =>
    ({ eventType: 'billing.plan_changed', occurredAt: later(milliseconds) }) as const;

  it('accepts events from the creation of the endpoint on', () => {
    expect(receives(anEndpoint(), planChangedAt(0))).to.equal(true);
    expect(receives(anEndpoint(), planChangedAt(86_400_000))).to.equal(true);
  });

  it('accepts events of up to five seconds before, because clocks differ', () => {
    expect(receives(anEndpoint(), planChangedAt(-5_000))).to.equal(true);
    expect(receives(anEndpoint(), planChangedAt(-5_001))).to.equal(false);
  });

  it('rejects events of types without a subscription', () => {
    const endpoint = anEndpoint({ eventTypes: ['billing.plan_changed'] });
    const wanted = EVENT_TYPES.filter((eventType) => receives(endpoint, { eventType, occurredAt: NOON }));
    expect(wanted).to.deep.equal(['billing.plan_changed']);
    expect(receives(anEndpoint({ subscriptions: [] }), planChangedAt(0))).to.equal(false);
  });

  it('accepts a type since the start of its own subscription', () => {
    const endpoint = anEndpoint({
      subscriptions: [
        { eventType: 'api_token.created', since: NOON },
        { eventType: 'billing.plan_changed', since: later(60_000) },
      ],
    });
    expect(receives(endpoint, { eventType: 'api_token.created', occurredAt: NOON })).to.equal(true);
    expect(receives(endpoint, planChangedAt(54_999))).to.equal(false);
    expect(receives(endpoint, planChangedAt(55_000))).to.equal(true);
  });

  it('rejects events from before the last re-enable, despite an older subscription', () => {
    const endpoint = anEndpoint({ enabledSince: later(60_000) });
    expect(receives(endpoint, planChangedAt(54_999))).to.equal(false);
    expect(receives(endpoint, planChangedAt(55_000))).to.equal(true);
  });

  it('compares with the later of subscription and re-enable', () => {
    const endpoint = anEndpoint({
      enabledSince: later(10_000),
      subscriptions: [{ eventType: 'billing.plan_changed', since: later(60_000) }],
    });
    expect(receives(endpoint, planChangedAt(54_999))).to.equal(false);
  });

  it('rejects events for disabled and deleted endpoints', () => {
    expect(receives(anEndpoint({ enabled: false }), planChangedAt(0))).to.equal(false);
    expect(receives(anEndpoint({ deletedAt: later(1) }), planChangedAt(0))).to.equal(false);
  });
});

describe('originOf', () => {
  const TABLE = [
    ['https://hooks.example.com/t/s3cret?key=s3cret', 'https://hooks.example.com'],
    ['https://hooks.example.com:8443/t', 'https://hooks.example.com:8443'],
    ['https://hooks.example.com:443/', 'https://hooks.example.com'],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080'],
    ['https://user:s3cret@hooks.example.com/', 'https://hooks.example.com'],
    ['s3cret', 'null'],
  ] as const;
  for (const [url, origin] of TABLE) {
    it(`returns ${origin} for ${url}`, () => expect(originOf(url)).to.equal(origin));
  }
});
