import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { abortingIdleTransactions } from '../../src/mongo/abort-idle-transactions.js';
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
