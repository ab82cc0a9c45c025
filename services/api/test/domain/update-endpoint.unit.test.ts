import { type EndpointFields, type LiveEndpoint, newEndpoint } from '@postrider/shared/domain/endpoint';
import type { EndpointOptions } from '@postrider/shared/domain/endpoint-options';
import { asId } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import { updateEndpoint } from '../../src/domain/update-endpoint.js';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-01T13:00:00.000Z');

function anEndpoint(overrides: Partial<EndpointFields> = {}): LiveEndpoint {
  const created = newEndpoint({
    id: asId('endpoint', 'whe_1'),
    workspaceId: asId('workspace', 'ws_1'),
    url: 'https://hooks.example.com/x',
    description: 'CRM',
    eventTypes: ['api_token.created', 'billing.plan_changed'],
    enabled: true,
    secret: { keyId: 'k', nonce: 'n', box: 'b' },
    createdAt: NOON,
  });
  return { ...created, ...overrides } as LiveEndpoint;
}
const failing = { consecutiveFailures: 7, streakVersion: 30, failingSince: NOON };
const disabled = { ...failing, enabled: false, disabledReason: 'consecutive_failures' as const };

describe('updateEndpoint', () => {
  it('changes nothing when no field is present or all have their current values', () => {
    const before = anEndpoint();
    for (const update of [
      {},
      { url: before.url, description: 'CRM', enabled: true },
      { eventTypes: ['billing.plan_changed' as const, 'api_token.created' as const] },
    ]) {
      const updated = updateEndpoint(before, update, LATER);
      expect(updated).to.deep.include({ changed: [], switched: null, streak: null });
    }
  });

  it('returns the names of the changed fields', () => {
    const update = {
      url: 'https://other.example.com',
      description: null,
      eventTypes: ['api_token.created' as const],
    };
    const { endpoint, changed } = updateEndpoint(anEndpoint(), update, LATER);
    expect(changed).to.deep.equal(['url', 'eventTypes', 'description']);
    expect(endpoint).to.include({ url: update.url, description: null });
  });

  it('replaces the options that are sent, and counts equal ones as unchanged', () => {
    const headers = { names: ['x-team'], sealed: { keyId: 'k', nonce: 'n', box: 'headers' } };
    const options = {
      headers,
      metadata: [{ name: 'team', value: 'billing' }],
      ratePerSecond: 10,
      filter: '{"plan":["team"]}',
    };
    const { endpoint, changed } = updateEndpoint(anEndpoint(), { options }, LATER);
    expect(changed).to.deep.equal(['headers', 'metadata', 'ratePerSecond', 'filter']);
    expect(endpoint).to.deep.include(options);
    expect(updateEndpoint(endpoint, { options: structuredClone(options) }, LATER).changed).to.deep.equal([]);
    const reset = { headers: null, metadata: [], ratePerSecond: null, filter: null };
    expect(updateEndpoint(endpoint, { options: reset }, LATER).changed).to.have.length(4);
    expect(updateEndpoint(anEndpoint(), { options: reset }, LATER).changed).to.deep.equal([]);
  });

  it('ignores the order of names in options', () => {
    const entries = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ];
    const filter = '{"amount":[{"gte":1,"lt":5}],"plan":["team","business"]}';
    const before = anEndpoint({ metadata: entries, filter });
    const changedBy = (options: EndpointOptions) => updateEndpoint(before, { options }, LATER).changed;
    const reordered = '{"plan":["team","business"],"amount":[{"lt":5,"gte":1}]}';
    expect(changedBy({ metadata: entries.toReversed(), filter: reordered })).to.deep.equal([]);
    const swapped = entries.map(({ name }, index) => ({ name, value: String(2 - index) }));
    expect(changedBy({ metadata: swapped, filter: filter.replace('5', '6') })).to.deep.equal([
      'metadata',
      'filter',
    ]);
  });

  it('names a change of the signing method without its keys', () => {
    const before = anEndpoint();
    const secrets = { ...before.secrets, publicKey: 'whpk_1' };
    const { endpoint, changed } = updateEndpoint(before, { secrets }, LATER);
    expect(changed).to.deep.equal(['signing']);
    expect(endpoint.secrets).to.equal(secrets);
  });

  it('keeps the start time of a type that stays subscribed, and starts new and returning types now', () => {
    const { endpoint } = updateEndpoint(anEndpoint(), { eventTypes: ['billing.plan_changed'] }, LATER);
    expect(endpoint.subscriptions).to.deep.equal([{ eventType: 'billing.plan_changed', since: NOON }]);
    const again = updateEndpoint(
      endpoint,
      { eventTypes: ['billing.plan_changed', 'api_token.created'] },
      LATER,
    );
    expect(again.endpoint.subscriptions).to.deep.equal([
      { eventType: 'billing.plan_changed', since: NOON },
      { eventType: 'api_token.created', since: LATER },
    ]);
  });

  it('resets the streak and ignores older events when it enables a disabled endpoint', () => {
    const updated = updateEndpoint(anEndpoint(disabled), { enabled: true }, LATER);
    expect(updated).to.deep.include({ switched: 'enabled', streak: { version: 31, before: 7, after: 0 } });
    expect(updated.endpoint).to.deep.include({
      enabled: true,
      disabledReason: null,
      enabledSince: LATER,
      consecutiveFailures: 0,
      failingSince: null,
    });
  });

  it('names the fields that change together with enabling', () => {
    const updated = updateEndpoint(anEndpoint(disabled), { enabled: true, description: 'ERP' }, LATER);
    expect(updated).to.deep.include({ switched: 'enabled', changed: ['description'] });
    expect(updated.endpoint.description).to.equal('ERP');
  });

  it('keeps the streak and enabledSince of an endpoint that is already enabled', () => {
    const { endpoint, switched } = updateEndpoint(anEndpoint(failing), { enabled: true }, LATER);
    expect(switched).to.equal(null);
    expect(endpoint).to.deep.include({ ...failing, enabledSince: NOON });
  });

  it('lets the operator disable an endpoint that failures have disabled, in the same disabled period', () => {
    const probed = { ...disabled, recovery: 'probe' as const, disabledAt: NOON, probeAt: LATER };
    for (const [before, update, changed, recovery] of [
      [disabled, {}, [], 'manual'],
      [disabled, { recovery: 'probe' }, ['recovery'], 'probe'],
      [probed, {}, [], 'probe'],
      [probed, { recovery: 'manual' }, ['recovery'], 'manual'],
    ] as const) {
      const endpoint = anEndpoint({ disabledAt: NOON, recovery: 'manual', ...before });
      const updated = updateEndpoint(endpoint, { ...update, enabled: false }, LATER);
      expect(updated, recovery).to.deep.include({ changed, switched: 'disabled', streak: null });
      expect(updated.endpoint).to.deep.include({
        disabledReason: 'operator',
        recovery,
        disabledAt: NOON,
        probeAt: null,
      });
    }
  });

  it('plans recovery probes from now on only for an endpoint that failures have disabled', () => {
    const probeAt = (before: object, recovery: 'probe' | 'manual') =>
      updateEndpoint(anEndpoint(before), { recovery }, LATER).endpoint.probeAt;
    expect(probeAt(disabled, 'probe')).to.deep.equal(LATER);
    expect(probeAt({ ...disabled, disabledReason: 'operator' }, 'probe')).to.equal(null);
    expect(probeAt(failing, 'probe')).to.equal(null);
    const probed = { ...disabled, recovery: 'probe', probeAt: NOON };
    expect(probeAt(probed, 'manual')).to.equal(null);
    expect(probeAt(probed, 'probe'), 'which is planned already').to.deep.equal(NOON);
  });

  it('counts other event types as a change, however many stay subscribed', () => {
    const changedBy = (...eventTypes: ('api_token.created' | 'billing.plan_changed' | 'member.removed')[]) =>
      updateEndpoint(anEndpoint(), { eventTypes }, LATER).changed;
    expect(changedBy('billing.plan_changed', 'api_token.created')).to.deep.equal([]);
    expect(changedBy('api_token.created', 'member.removed')).to.deep.equal(['eventTypes']);
    expect(changedBy('api_token.created')).to.deep.equal(['eventTypes']);
  });

  it('keeps the streak when the operator disables an endpoint, and changes nothing the second time', () => {
    const stopped = updateEndpoint(anEndpoint(failing), { enabled: false }, LATER);
    expect(stopped).to.include({ switched: 'disabled', streak: null });
    expect(stopped.endpoint).to.deep.include({ ...failing, enabled: false, disabledReason: 'operator' });
    expect(stopped.endpoint.disabledAt, 'the start of the disabled period').to.deep.equal(LATER);
    const { endpoint: before } = updateEndpoint(anEndpoint(disabled), { enabled: false }, LATER);
    expect(updateEndpoint(before, { enabled: false }, LATER)).to.deep.include({
      endpoint: before,
      changed: [],
      switched: null,
    });
  });
});
