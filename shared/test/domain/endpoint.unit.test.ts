import { expect } from 'chai';
import { newEndpoint, originOf, validOrigin } from '../../src/domain/endpoint.js';
import { aSealedSecret, ENDPOINT_ID, NOON, WORKSPACE_ID } from '../../src/testing/builders.js';

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
    expect(endpoint).to.include({ enabled: false, disabledReason: 'operator', disabledAt: NOON });
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

  it('has no valid origin for text that is no URL', () => {
    expect(validOrigin('s3cret')).to.equal(null);
    expect(validOrigin('https://hooks.example.com/t')).to.equal('https://hooks.example.com');
  });
});
