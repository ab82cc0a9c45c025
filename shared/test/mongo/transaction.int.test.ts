import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { abortingIdleTransactions } from '../../src/mongo/abort-idle-transactions.js';
import { connectMongo } from '../../src/mongo/connect.js';
import { isDatabaseAway } from '../../src/mongo/database-away.js';
import { closeAfterTransactions } from '../../src/mongo/running-transactions.js';
import { inTransaction } from '../../src/mongo/transaction.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

const DIE_IN_TRANSACTION = fileURLToPath(new URL('./die-in-transaction.js', import.meta.url));
const ID = 'a row';
/** Less than the minute after which the server itself aborts an abandoned transaction. */
const SOON_MS = 25_000;

describe('transaction', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await emptyDatabase();
    await things().insertOne({ _id: ID, touched: 'never' });
  });
  afterEach(() => database.drop());

  const things = () => database.db.collection<{ _id: string; touched: string }>('things');
  const touch = (by: string) =>
    inTransaction(database.client, (session) =>
      things().updateOne({ _id: ID }, { $set: { touched: by } }, { session }),
    );

  const touchAlone = (by: string) =>
    abortingIdleTransactions(database.client, things().updateOne({ _id: ID }, { $set: { touched: by } }));

  // Regression: when a dispatcher was killed between two statements of a transaction, the server kept its rows locked
  // for a minute and a half, and settling them waited as long.
  for (const [name, touchOnce] of [
    ['a transaction', touch],
    ['a statement outside transactions', touchAlone],
  ] as const) {
    it(`of a killed process is soon aborted when ${name} needs its rows`, async function gets() {
      this.timeout(SOON_MS);
      const killed = spawn(process.execPath, [DIE_IN_TRANSACTION, database.uri, 'things', ID]);
      const [, signal] = await once(killed, 'exit');
      expect(signal).to.equal('SIGKILL');
      await touchOnce('by a running process');
      expect(await things().findOne()).to.include({ touched: 'by a running process' });
    });
  }

  // Regression: a stopped process closed its connection while callers' changes were still made. The driver aborted them beside
  // their commit, and the process logged "illegal state transition from [TRANSACTION_ABORTED]".
  it('is committed although the connection is being closed', async () => {
    const other = await connectMongo(database.uri, 'test');
    const touched = Promise.withResolvers<void>();
    const closing = Promise.withResolvers<void>();
    const running = inTransaction(other.client, async (session) => {
      await other.db
        .collection<{ _id: string; touched: string }>('things')
        .updateOne({ _id: ID }, { $set: { touched: 'before the close' } }, { session });
      touched.resolve();
      await closing.promise;
    });
    await touched.promise;
    const closed = other.close();
    closing.resolve();
    await Promise.all([running, closed]);
    expect(await things().findOne()).to.include({ touched: 'before the close' });
  });

  it('fails like any use of a closed connection when the close does not wait any longer', async () => {
    const other = await MongoClient.connect(database.uri);
    const touched = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const running = inTransaction(other, async (session) => {
      const theirs = other.db(database.db.databaseName).collection<{ _id: string }>('things');
      await theirs.updateOne({ _id: ID }, { $set: { touched: 'too late' } }, { session });
      touched.resolve();
      await closed.promise;
    }).catch((error: unknown) => error);
    await touched.promise;
    await closeAfterTransactions(other, 1);
    closed.resolve();
    expect(isDatabaseAway(await running)).to.equal(true);
    expect(await things().findOne()).to.include({ touched: 'never' });
  });

  it('is not aborted while another process is using it', async () => {
    const session = database.client.startSession();
    session.startTransaction();
    await things().updateOne({ _id: ID }, { $set: { touched: 'by the first' } }, { session });
    const second = touch('by the second');
    for (let time = 0; time < 3; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await things().findOne({ _id: ID }, { session });
    }
    await session.commitTransaction();
    await session.endSession();
    await second;
    expect(await things().findOne()).to.include({ touched: 'by the second' });
  });
});
