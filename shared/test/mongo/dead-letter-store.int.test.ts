import { expect } from 'chai';
import type { Delivery } from '../../src/domain/delivery.js';
import { FIRST_LEVEL } from '../../src/domain/feature-level.js';
import { aFailingEndpoint, later } from '../../src/testing/builders.js';
import { storedAttempts } from '../../src/testing/stored-attempts.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import {
  deadLetterRows,
  deadLetterStoreContract,
  exhaustedRow,
} from '../contract/dead-letter-store.contract.js';
import { mongoStores } from '../contract/stores-under-test.js';

describe('dead-letter store on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  deadLetterStoreContract(() => mongoStores(database));
  describe('at the first feature level', () => {
    deadLetterStoreContract(() => mongoStores(database, FIRST_LEVEL));
  });

  const aStore = () => {
    const stores = mongoStores(database);
    const settle = (...rows: readonly Pick<Delivery, 'id'>[]) => deadLetterRows(stores, rows);
    return { settle, offered: stores.offered };
  };
  const written = async () => {
    const { notifications, outbox } = database.collections;
    const attempts = (await storedAttempts(database.collections)).length;
    const [notes, appended] = await Promise.all([notifications, outbox].map((one) => one.countDocuments()));
    return { attempts, notifications: notes, outbox: appended };
  };

  it('removes the due time from the document and appends the notification to the outbox', async () => {
    const row = exhaustedRow('one');
    await database.store({ deliveries: [row], endpoints: [aFailingEndpoint(9)] });
    await aStore().settle(row);
    expect(await database.row(row.id)).not.to.have.property('dueAt');
    const [notification] = await database.collections.notifications.find().toArray();
    const [appended] = await database.collections.outbox.find().toArray();
    expect(appended).to.deep.include({ _id: notification?._id, claimedUntil: later(15_000), failures: 0 });
  });

  it('announces an outage once when many of its deliveries end concurrently', async () => {
    const rows = Array.from({ length: 8 }, (_, n) => exhaustedRow(`${n}`));
    await database.store({ deliveries: rows, endpoints: [aFailingEndpoint(9)] });
    const [one, other] = [aStore(), aStore()];
    const pairs = [0, 2, 4, 6].map((n) => rows.slice(n, n + 2));
    await Promise.all(pairs.map((pair, n) => (n % 2 === 0 ? one : other).settle(...pair)));
    expect(await written()).to.deep.equal({ attempts: 8, notifications: 1, outbox: 1 });
    expect([...one.offered, ...other.offered]).to.have.length(1);
    expect(await database.collections.deliveries.countDocuments({ status: 'dead_lettered' })).to.equal(8);
  });

  it('ends a row once when two consumers receive its message concurrently', async () => {
    const row = exhaustedRow('one');
    await database.store({ deliveries: [row], endpoints: [aFailingEndpoint(9)] });
    await Promise.all([aStore().settle(row), aStore().settle(row)]);
    expect(await written()).to.deep.equal({ attempts: 1, notifications: 1, outbox: 1 });
  });

  it('writes nothing of a group if the database rejects one of its rows', async () => {
    const rows = ['one', 'refused'].map((name) => exhaustedRow(name));
    await database.store({ deliveries: rows, endpoints: [aFailingEndpoint(9)] });
    const validate = (validator: object) => database.db.command({ collMod: 'deliveries', validator });
    await validate({ _id: { $ne: rows[1]!.id } });
    const { settle, offered } = aStore();
    const error: unknown = await settle(...rows).catch((one: unknown) => one);
    await validate({});
    expect(error).to.be.an('error');
    expect(await written()).to.deep.equal({ attempts: 0, notifications: 0, outbox: 0 });
    expect(offered).to.deep.equal([]);
  });
});
