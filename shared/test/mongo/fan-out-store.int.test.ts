import { expect } from 'chai';
import type { MongoBulkWriteError, WriteError } from 'mongodb';
import type { Endpoint, Subscriber } from '../../src/domain/endpoint.js';
import type { EventType } from '../../src/domain/event-type.js';
import { fromDeliveryDocument } from '../../src/mongo/documents.js';
import { createFanOutStore } from '../../src/mongo/fan-out-store.js';
import { aDelivery, aFailedDelivery, anEndpoint, idFor, WORKSPACE_ID } from '../../src/testing/builders.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const DUPLICATE_KEY = 11_000;
const FAILED_VALIDATION = 121;

describe('the fan-out store', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const store = () => createFanOutStore(database.collections);

  describe('finding subscribers', () => {
    const OTHER_WORKSPACE = idFor('workspace', 'other');
    const named = (name: string, overrides: Parameters<typeof anEndpoint>[0] = {}) =>
      anEndpoint({ id: idFor('endpoint', name), ...overrides });
    const subscribers = async (workspaces: readonly string[], types: readonly EventType[]) =>
      (await store().subscribers(workspaces, types)).map(({ id }) => id);

    const subscriberOf = (endpoint: Endpoint): Subscriber => {
      const { id, workspaceId, subscriptions, enabled, enabledSince, deletedAt } = endpoint;
      return { id, workspaceId, subscriptions, enabled, enabledSince, deletedAt };
    };

    it('finds who is enabled and subscribes to any of the types, each once', async () => {
      const both = named('both', { eventTypes: ['api_token.created', 'billing.plan_changed'] });
      const one = named('one', { eventTypes: ['billing.plan_changed'] });
      const none = named('none', { eventTypes: ['api_token.revoked'] });
      const disabled = named('disabled', { enabled: false });
      await database.store({ endpoints: [both, one, none, disabled] });
      const found = await store().subscribers([WORKSPACE_ID], ['api_token.created', 'billing.plan_changed']);
      expect(found).to.have.deep.members([both, one].map(subscriberOf));
    });

    it('looks into the workspaces asked for, and no others', async () => {
      const here = named('here');
      const there = named('there', { workspaceId: OTHER_WORKSPACE });
      await database.store({ endpoints: [here, there] });
      const types: EventType[] = ['billing.plan_changed'];
      expect(await subscribers([WORKSPACE_ID], types)).to.deep.equal([here.id]);
      expect(await subscribers([WORKSPACE_ID, OTHER_WORKSPACE], types)).to.have.members([here.id, there.id]);
      expect(await subscribers([], types)).to.deep.equal([]);
    });

    it('sees an endpoint that was created a moment ago', async () => {
      expect(await subscribers([WORKSPACE_ID], ['billing.plan_changed'])).to.deep.equal([]);
      await database.store({ endpoints: [named('new')] });
      expect(await subscribers([WORKSPACE_ID], ['billing.plan_changed'])).to.have.length(1);
    });
  });

  describe('storing rows', () => {
    const rowsNamed = (...names: string[]) => names.map((name) => aDelivery({ id: idFor('delivery', name) }));
    const stored = async () =>
      (await database.collections.deliveries.find().sort({ _id: 1 }).toArray()).map(fromDeliveryDocument);

    it('stores them as they are', async () => {
      await store().insert(rowsNamed('one', 'two'));
      expect(await stored()).to.have.deep.members(rowsNamed('one', 'two'));
    });

    it('leaves rows alone that are there, and stores the others around them', async () => {
      const [known] = rowsNamed('two') as [ReturnType<typeof aDelivery>];
      const underWay = aFailedDelivery(2, { id: known.id });
      await database.store({ deliveries: [underWay] });
      await store().insert(rowsNamed('one', 'two', 'three', 'two'));
      expect(await stored()).to.have.deep.members([underWay, ...rowsNamed('one', 'three')]);
    });

    it('does it twice without a trace', async () => {
      await store().insert(rowsNamed('one', 'two'));
      await store().insert(rowsNamed('one', 'two'));
      expect(await stored()).to.have.deep.members(rowsNamed('one', 'two'));
    });

    it('fails when a row cannot be stored for another reason, beside duplicates too, and says which and why', async () => {
      await database.db.command({ collMod: 'deliveries', validator: { traceId: { $ne: 'refused' } } });
      const [one, two] = rowsNamed('one', 'two');
      await store().insert([one!]);
      const refused = { ...two!, traceId: 'refused' };
      const error = await store()
        .insert([one!, refused, ...rowsNamed('three')])
        .catch((reason: unknown) => reason);
      const { message, cause } = error as Error & { cause: MongoBulkWriteError };
      expect(message).to.equal(`row ${two!.id} could not be stored: Document failed validation`);
      const failures = cause.writeErrors as WriteError[];
      expect(failures.map(({ code }) => code)).to.deep.equal([DUPLICATE_KEY, FAILED_VALIDATION]);
      expect(await stored()).to.have.deep.members([one, ...rowsNamed('three')]);
    });
  });
});
