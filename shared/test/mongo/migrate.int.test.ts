import { expect } from 'chai';
import { connectMongo } from '../../src/mongo/connect.js';
import { INDEXES } from '../../src/mongo/indexes.js';
import { checkMongoSchema, migrateMongo, SCHEMA_VERSION } from '../../src/mongo/migrate.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

describe('migrating the database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.drop());

  const reasonOf = (attempt: Promise<unknown>) => attempt.then(String, (error: Error) => error.message);
  /** Every index but the one on `_id`, as it was declared. */
  async function indexes() {
    const found: Record<string, unknown[]> = {};
    for (const name of Object.keys(INDEXES) as (keyof typeof INDEXES)[]) {
      const all = await database.collections[name].indexes();
      found[name] = all
        .filter((index) => index.name !== '_id_')
        .map(({ v, name: _name, ...declared }) => declared);
    }
    return found;
  }

  it('is required: the error names the command to run', async () => {
    expect(await reasonOf(checkMongoSchema(database))).to.equal(
      `the database has schema version 0 instead of ${SCHEMA_VERSION}: run "admin migrate"`,
    );
  });

  it('makes every collection and index as declared', async () => {
    await migrateMongo(database);
    await checkMongoSchema(database);
    expect(await indexes()).to.deep.equal(INDEXES);
    const names = (await database.db.listCollections().toArray()).map(({ name }) => name);
    const { collections } = database;
    expect(names).to.include.members(Object.values(collections).map(({ collectionName }) => collectionName));
  });

  it('changes nothing the second time', async () => {
    await migrateMongo(database);
    await migrateMongo(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('may be done by several at once', async () => {
    await Promise.all([1, 2, 3].map(() => migrateMongo(database)));
    await checkMongoSchema(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('completes after a crash', async () => {
    await database.db.createCollection('endpoints');
    await database.collections.deliveries.createIndexes([...INDEXES.deliveries.slice(0, 1)]);
    await migrateMongo(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('never takes a later version back, and the earlier software runs with it', async () => {
    const meta = database.db.collection<{ _id: string; version: number }>('meta');
    await meta.insertOne({ _id: 'schema', version: SCHEMA_VERSION + 1 });
    await migrateMongo(database);
    expect(await meta.findOne()).to.deep.equal({ _id: 'schema', version: SCHEMA_VERSION + 1 });
    await checkMongoSchema(database);
  });
});

describe('connecting to the database', () => {
  it('fails with the reason when no server is there', async () => {
    const uri = 'mongodb://127.0.0.1:1/postrider?serverSelectionTimeoutMS=100';
    const error = await connectMongo(uri, 'test').catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/ECONNREFUSED/);
  });

  it('acknowledges a write only when a majority has it in its journal', async () => {
    const database = await emptyDatabase();
    const { writeConcern } = database.collections.deliveries;
    await database.drop();
    expect(writeConcern).to.deep.include({ w: 'majority', j: true });
  });
});
