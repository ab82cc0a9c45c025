import { expect } from 'chai';
import { MongoBulkWriteError } from 'mongodb';
import { FIRST_LEVEL, NEWEST_LEVEL } from '../../src/domain/feature-level.js';
import type { AttemptObservation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { isDatabaseAway } from '../../src/mongo/database-away.js';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
} from '../../src/testing/builders.js';
import { storedAttempts } from '../../src/testing/stored-attempts.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { settlementProperties } from '../contract/settlement-properties.contract.js';
import { settlementStoreContract } from '../contract/settlement-store.contract.js';
import { mongoStores } from '../contract/stores-under-test.js';
import { lostConnection } from './lost-connection.js';

const STEP_MS = 30_000;

describe('settlement store on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  settlementStoreContract(() => mongoStores(database));
  settlementProperties(() => mongoStores(database));
  describe('at the first feature level', () => {
    settlementStoreContract(() => mongoStores(database, FIRST_LEVEL));
    settlementProperties(() => mongoStores(database, FIRST_LEVEL));
  });

  const settle = (observation: AttemptObservation, level = NEWEST_LEVEL) =>
    mongoStores(database, level).settlements.settle([observation], (stored) =>
      settleAll(stored, [observation], STEP_MS),
    );

  it('stores an attempt in its row', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    const { attempts } = await settle(anAttemptObservation({ outcome: answered(503, 'busy') }));
    const { deliveryId: _, workspaceId: __, endpointId: ___, ...record } = attempts[0]!;
    expect(await database.row(aDelivery().id)).to.deep.include({ records: [record] });
    expect(await database.collections.attempts.countDocuments()).to.equal(0);
  });

  it('stores an attempt beside its row while older processes run, under the id of its delivery and ordinal', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    const { attempts } = await settle(anAttemptObservation({ outcome: answered(503, 'busy') }), FIRST_LEVEL);
    const stored = await database.collections.attempts.find().toArray();
    expect(stored).to.deep.equal([{ _id: `${aDelivery().id}:1`, ...attempts[0] }]);
    expect(await database.row(aDelivery().id)).not.to.have.property('records');
  });

  // Regression: the driver wraps what ends a bulk write in an error of the kind that reports rejected documents.
  it('reports that the database is away when due times cannot be moved', async () => {
    const lost = await lostConnection(database.uri);
    const until = new Map([[aDelivery().id, later(1_000)]]);
    const error = await mongoStores({ ...database, ...lost })
      .settlements.moveDueTimes(until)
      .catch((reason: unknown) => reason);
    await lost.close();
    expect(error).to.be.instanceOf(MongoBulkWriteError);
    expect(isDatabaseAway(error)).to.equal(true);
  });

  // Regression: an update of several rows ended at the first one that was rejected, so the next owner repeated the attempts of others.
  it('extends the due times of rows beside one that the database rejects', async () => {
    const [first, second] = ['a', 'b'].map((name) => idFor('delivery', name)).sort();
    const rows = [aDelivery({ id: first!, traceId: 'refused' }), aDelivery({ id: second! })];
    await database.store({ deliveries: rows });
    await database.db.command({ collMod: 'deliveries', validator: { traceId: { $ne: 'refused' } } });
    const error = await mongoStores(database)
      .settlements.extendDueTimes(
        rows.map(({ id: deliveryId }) => ({ deliveryId, ordinal: 1 })),
        later(60_000),
      )
      .catch((reason: unknown) => reason);
    await database.db.command({ collMod: 'deliveries', validator: {} });
    expect(error).to.have.property('code', 121);
    expect(await database.row(second!)).to.deep.include({ dueAt: later(60_000) });
  });

  it('records no attempt from the given time on, by the clock of the database', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    const observations = [anAttemptObservation()];
    const stored = {
      deliveries: new Map([[aDelivery().id, aDelivery()]]),
      endpoints: new Map([[anEndpoint().id, anEndpoint()]]),
    };
    const batch = settleAll(stored, observations, STEP_MS);
    const { record } = mongoStores(database).settlements;
    expect(await record(batch, new Date(Date.now() - 1_000))).to.equal(false);
    expect(await database.row(aDelivery().id)).to.include({ status: 'pending' });
    expect(await record(batch, new Date(Date.now() + 60_000))).to.equal(true);
    expect(await database.row(aDelivery().id)).to.include({ status: 'delivered' });
  });

  it('continues the history of a delivery whose first attempts are stored beside its row', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    const first = anAttemptObservation({ outcome: answered(503) });
    await settle(first, FIRST_LEVEL);
    await settle({ ...first, ordinal: 2 });
    await settle({ ...first, ordinal: 3, outcome: answered(200) });
    const { attempts } = database.collections;
    const ordinals = (await storedAttempts(database.collections)).map(({ ordinal }) => ordinal);
    expect([ordinals, await attempts.countDocuments()]).to.deep.equal([[1, 2, 3], 1]);
    expect(await database.row(aDelivery().id)).to.include({ status: 'delivered', attempts: 3 });
  });

  it('removes the due time from the document of a terminal row', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    await settle(anAttemptObservation());
    expect(await database.row(aDelivery().id))
      .to.include({ status: 'delivered' })
      .and.not.to.have.property('dueAt');
  });

  it('appends the notification of a disabling to the outbox, claimed for this process', async () => {
    await database.store({
      deliveries: [aDelivery()],
      endpoints: [anEndpoint({ consecutiveFailures: 19 })],
    });
    await settle(anAttemptObservation({ outcome: answered(503) }));
    const [notification] = await database.collections.notifications.find().toArray();
    expect(await database.collections.outbox.find().toArray()).to.have.length(1);
    expect(await database.collections.outbox.findOne()).to.deep.include({
      _id: notification?._id,
      topic: 'workspace.notifications',
      failures: 0,
      claimedUntil: later(15_000),
    });
  });

  it('appends nothing to the outbox if the batch fails', async () => {
    await database.store({
      deliveries: [aDelivery()],
      endpoints: [anEndpoint({ consecutiveFailures: 19 })],
    });
    const observation = anAttemptObservation({ outcome: answered(500) });
    const error = await mongoStores(database)
      .settlements.settle([observation], (stored) => {
        const batch = settleAll(stored, [observation], STEP_MS);
        return { ...batch, audits: [...batch.audits, ...batch.audits] };
      })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 11_000);
    expect(await database.collections.outbox.countDocuments()).to.equal(0);
  });
});
