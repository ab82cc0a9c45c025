import { expect } from 'chai';
import { FIRST_LEVEL, NEWEST_LEVEL } from '../../src/domain/feature-level.js';
import { connectMongo } from '../../src/mongo/connect.js';
import { createFeatureLevelStore } from '../../src/mongo/feature-level-store.js';
import { describeIndexBuild, type IndexBuild } from '../../src/mongo/index-builds.js';
import { INDEXES } from '../../src/mongo/indexes.js';
import { checkMongoSchema, migrateMongo, SCHEMA_VERSION } from '../../src/mongo/migrate.js';
import { watchIndexBuilds } from '../../src/mongo/watch-index-builds.js';
import { eventually } from '../../src/testing/eventually.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

describe('database migration', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.drop());

  const reasonOf = (attempt: Promise<unknown>) => attempt.then(String, (error: Error) => error.message);
  /** The declarations of all indexes except those on `_id`. */
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

  it('is required, and the error contains the command to run', async () => {
    expect(await reasonOf(checkMongoSchema(database))).to.equal(
      `the database has schema version 0 instead of ${SCHEMA_VERSION}: run "admin migrate"`,
    );
  });

  it('creates every collection and index as declared', async () => {
    await migrateMongo(database);
    await checkMongoSchema(database);
    expect(await indexes()).to.deep.equal(INDEXES);
    const names = (await database.db.listCollections().toArray()).map(({ name }) => name);
    const { collections } = database;
    expect(names).to.include.members(Object.values(collections).map(({ collectionName }) => collectionName));
  });

  it('changes nothing when it is repeated', async () => {
    await migrateMongo(database);
    await migrateMongo(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('can run concurrently', async () => {
    await Promise.all([1, 2, 3].map(() => migrateMongo(database)));
    await checkMongoSchema(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('completes a migration that was interrupted', async () => {
    await database.db.createCollection('endpoints');
    await database.collections.deliveries.createIndexes([...INDEXES.deliveries.slice(0, 1)]);
    await migrateMongo(database);
    expect(await indexes()).to.deep.equal(INDEXES);
  });

  it('keeps a later schema version, which an older release accepts', async () => {
    const meta = database.db.collection<{ _id: string; version: number }>('meta');
    await meta.insertOne({ _id: 'schema', version: SCHEMA_VERSION + 1 });
    await migrateMongo(database);
    expect(await meta.findOne()).to.deep.equal({ _id: 'schema', version: SCHEMA_VERSION + 1 });
    await checkMongoSchema(database);
  });

  // Regression: a restored database has the version, and services started while each query read whole collections.
  it('is required where indexes are missing, and the error names them', async () => {
    await migrateMongo(database);
    const { endpointStats, deliveries } = database.collections;
    await endpointStats.dropIndex('hour_1');
    expect(await reasonOf(checkMongoSchema(database))).to.equal(
      'the database lacks the indexes endpoint_stats {hour: 1}: run "admin migrate", or wait for the one that builds them',
    );
    await deliveries.drop();
    expect(await reasonOf(checkMongoSchema(database))).to.match(
      /^the database lacks the indexes deliveries \{endpointId: 1, _id: 1\}, .* and 6 more: run "admin migrate"/,
    );
    await migrateMongo(database);
    await checkMongoSchema(database);
  });

  it('accepts the indexes of a later version beside its own', async () => {
    await migrateMongo(database);
    await database.collections.deliveries.createIndex({ later: 1 });
    await checkMongoSchema(database);
  });

  it('shows the indexes for which it waits, and ends when showing them fails', async () => {
    await migrateMongo(database);
    await database.collections.deliveries.dropIndexes();
    const session = database.client.startSession();
    session.startTransaction();
    // A build begins once no transaction uses the collection.
    await database.collections.deliveries.insertOne({ _id: 'whd_1' } as never, { session });
    const shown: string[] = [];
    const show = (builds: readonly IndexBuild[]) => {
      shown.push(...builds.map(describeIndexBuild));
      throw new Error('the terminal is gone');
    };
    const migrating = watchIndexBuilds(database, { show, firstPauseMs: 50 }, () => migrateMongo(database));
    await eventually(() => expect(shown).to.have.length.of.at.least(2));
    await session.abortTransaction();
    await session.endSession();
    await migrating;
    expect(shown[0]).to.match(/^deliveries \{endpointId: 1, _id: 1\}, \{/);
    await checkMongoSchema(database);
  });

  it('starts a new installation at the newest feature level', async () => {
    await migrateMongo(database);
    expect(await createFeatureLevelStore(database).read()).to.equal(NEWEST_LEVEL);
  });

  it('leaves the feature level of an existing installation alone', async () => {
    await database.db.collection<{ _id: string }>('meta').insertOne({ _id: 'schema' });
    await migrateMongo(database);
    expect(await createFeatureLevelStore(database).read()).to.equal(FIRST_LEVEL);
  });
});

describe('connectMongo', () => {
  it('rejects with the reason if the server is unreachable', async () => {
    const uri = 'mongodb://127.0.0.1:1/postrider?serverSelectionTimeoutMS=100';
    const error = await connectMongo(uri, 'test').catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/ECONNREFUSED/);
  });

  it('reads from the primary, whatever the connection string prefers', async () => {
    const empty = await emptyDatabase();
    const uri = new URL(empty.uri);
    for (const [name, value] of [
      ['readPreference', 'secondaryPreferred'],
      ['maxStalenessSeconds', '120'],
      ['readPreferenceTags', 'dc:here'],
    ] as const)
      uri.searchParams.set(name, value);
    const database = await connectMongo(uri.href, 'test');
    const { readPreference } = database.collections.endpoints;
    await Promise.all([database.close(), empty.drop()]);
    expect(readPreference).to.have.property('mode', 'primary');
  });

  it('waits until a majority has journaled each write', async () => {
    const database = await emptyDatabase();
    const { writeConcern } = database.collections.deliveries;
    await database.drop();
    expect(writeConcern).to.deep.include({ w: 'majority', j: true });
  });
});
