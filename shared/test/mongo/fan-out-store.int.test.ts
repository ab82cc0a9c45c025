import { expect } from 'chai';
import type { MongoBulkWriteError, WriteError } from 'mongodb';
import { isDatabaseAway } from '../../src/mongo/database-away.js';
import { createFanOutStore } from '../../src/mongo/fan-out-store.js';
import { anEndpoint, idFor, later, NOON, WORKSPACE_ID } from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { fanOutStoreContract, rowsNamed } from '../contract/fan-out-store.contract.js';
import { mongoStores } from '../contract/stores-under-test.js';
import { lostConnection } from './lost-connection.js';

const DUPLICATE_KEY = 11_000;
const FAILED_VALIDATION = 121;

describe('fan-out store on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  fanOutStoreContract(() => mongoStores(database));

  it('reads subscribers as a majority of the servers has them', async () => {
    const { subscribers, subscribersAfter } = createFanOutStore(database.collections);
    const query = { types: ['billing.plan_changed'], limit: { endpoints: 9, cost: 99 } } as const;
    const operations = await profiled(database.db, async () => {
      await subscribers({ ...query, workspaceIds: [WORKSPACE_ID] });
      await subscribersAfter({ ...query, workspaceId: WORKSPACE_ID, after: null });
    });
    expect(operations.map(({ command }) => command.readConcern?.level)).to.deep.equal([
      'majority',
      'majority',
    ]);
  });

  // Regression: the last page of a workspace whose endpoints were created one after the other read those of all workspaces.
  it('reads no endpoint of another workspace for a page of subscribers', async () => {
    const endpoints = Array.from({ length: 400 }, (_, n) =>
      anEndpoint({
        id: idFor('endpoint', `${n}`, later(n)),
        workspaceId: n < 120 ? WORKSPACE_ID : idFor('workspace', 'other'),
      }),
    );
    await database.store({ endpoints });
    const { subscribersAfter } = createFanOutStore(database.collections);
    const [first] = endpoints;
    for (const types of [['billing.plan_changed'], ['billing.plan_changed', 'billing.*', '*']] as const) {
      const query = { types, after: first!.id, limit: { endpoints: 500, cost: 20_000 } };
      const reads = await profiled(database.db, () =>
        subscribersAfter({ ...query, workspaceId: WORKSPACE_ID }),
      );
      expect(reads.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)).to.equal(119);
    }
  });

  it('throws the id of a row that the database rejects and the reason, even if other rows are duplicates', async () => {
    const { fanOut, rows } = mongoStores(database);
    await database.db.command({ collMod: 'deliveries', validator: { traceId: { $ne: 'refused' } } });
    const [one, two] = rowsNamed('one', 'two');
    await fanOut.insert([one!], []);
    const refused = { ...two!, traceId: 'refused' };
    const error = await fanOut
      .insert([one!, refused, ...rowsNamed('three')], [])
      .catch((reason: unknown) => reason);
    const { message, cause } = error as Error & { cause: MongoBulkWriteError };
    expect(message).to.equal(`row ${two!.id} could not be stored: Document failed validation`);
    const failures = cause.writeErrors as WriteError[];
    expect(failures.map(({ code }) => code)).to.deep.equal([DUPLICATE_KEY, FAILED_VALIDATION]);
    expect(await rows()).to.have.deep.members([one, ...rowsNamed('three')]);
  });

  it('throws the id of an unmatched event that the database rejects, even if another one is stored already', async () => {
    const { fanOut } = mongoStores(database);
    await database.db.command({ collMod: 'unmatched_events', validator: { type: { $ne: 'refused' } } });
    const event = { workspaceId: WORKSPACE_ID, type: 'billing.plan_changed', occurredAt: NOON };
    const events = [
      { ...event, eventId: 'one' },
      { ...event, eventId: 'two', type: 'refused' },
      { ...event, eventId: 'three' },
    ];
    await fanOut.insertUnmatched(events.slice(0, 1));
    const error = await fanOut.insertUnmatched(events).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal(
      'unmatched event two could not be stored: Document failed validation',
    );
    await fanOut.insertUnmatched(events.filter(({ type }) => type !== 'refused'));
    expect(await database.collections.unmatchedEvents.countDocuments()).to.equal(2);
  });

  // The driver reports a lost server as a bulk write error without write errors. That was taken for nothing but
  // duplicates, so an event was acknowledged without its rows.
  it('rejects when the server is lost during the insert', async () => {
    const lost = await lostConnection(database.uri);
    const error = await createFanOutStore(lost.collections)
      .insert(rowsNamed('lost'), [])
      .catch((reason: unknown) => reason);
    await lost.close();
    expect(isDatabaseAway(error)).to.equal(true);
    expect(await mongoStores(database).rows()).to.deep.equal([]);
  });
});
