import { expect } from 'chai';
import type { EventType } from '../../src/domain/event-type.js';
import { aDelivery, aFailedDelivery, anEndpoint, idFor, WORKSPACE_ID } from '../../src/testing/builders.js';
import { subscriberOf } from '../../src/testing/in-memory-stores.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

export const rowsNamed = (...names: string[]) =>
  names.map((name) => aDelivery({ id: idFor('delivery', name) }));

/** The behaviour that every `FanOutStore` shares. */
export function fanOutStoreContract(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  beforeEach(() => {
    stores = createStores();
  });
  const OTHER_WORKSPACE = idFor('workspace', 'other');
  const named = (name: string, overrides: Parameters<typeof anEndpoint>[0] = {}) =>
    anEndpoint({ id: idFor('endpoint', name), ...overrides });
  const subscribers = async (workspaces: readonly string[], types: readonly EventType[]) =>
    (await stores.fanOut.subscribers(workspaces, types)).map(({ id }) => id);

  it('finds the enabled endpoints that subscribe to any of the types, each once', async () => {
    const both = named('both', { eventTypes: ['api_token.created', 'billing.plan_changed'] });
    const one = named('one', { eventTypes: ['billing.plan_changed'] });
    const none = named('none', { eventTypes: ['api_token.revoked'] });
    const disabled = named('disabled', { enabled: false });
    await stores.store({ endpoints: [both, one, none, disabled] });
    const types = ['api_token.created', 'billing.plan_changed'] as const;
    const found = await stores.fanOut.subscribers([WORKSPACE_ID], types);
    expect(found).to.have.deep.members([both, one].map(subscriberOf));
  });

  it('finds endpoints of the given workspaces only', async () => {
    const here = named('here');
    const there = named('there', { workspaceId: OTHER_WORKSPACE });
    await stores.store({ endpoints: [here, there] });
    const types: EventType[] = ['billing.plan_changed'];
    expect(await subscribers([WORKSPACE_ID], types)).to.deep.equal([here.id]);
    expect(await subscribers([WORKSPACE_ID, OTHER_WORKSPACE], types)).to.have.members([here.id, there.id]);
    expect(await subscribers([], types)).to.deep.equal([]);
  });

  it('finds an endpoint as soon as it is stored', async () => {
    expect(await subscribers([WORKSPACE_ID], ['billing.plan_changed'])).to.deep.equal([]);
    await stores.store({ endpoints: [named('new')] });
    expect(await subscribers([WORKSPACE_ID], ['billing.plan_changed'])).to.have.length(1);
  });

  it('stores rows unchanged', async () => {
    await stores.fanOut.insert(rowsNamed('one', 'two'));
    expect(await stores.rows()).to.have.deep.members(rowsNamed('one', 'two'));
  });

  it('keeps existing rows and stores the others', async () => {
    const known = aFailedDelivery(2, { id: idFor('delivery', 'two') });
    await stores.store({ deliveries: [known] });
    await stores.fanOut.insert(rowsNamed('one', 'two', 'three', 'two'));
    expect(await stores.rows()).to.have.deep.members([known, ...rowsNamed('one', 'three')]);
  });

  it('changes nothing when rows are stored twice', async () => {
    await stores.fanOut.insert(rowsNamed('one', 'two'));
    await stores.fanOut.insert(rowsNamed('one', 'two'));
    expect(await stores.rows()).to.have.deep.members(rowsNamed('one', 'two'));
  });
}
