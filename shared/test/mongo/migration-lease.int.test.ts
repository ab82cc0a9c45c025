import { expect } from 'chai';
import { takeMigrationLease } from '../../src/mongo/migration-lease.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

describe('migration lease', () => {
  let database: TestDatabase;
  before(async () => {
    database = await emptyDatabase();
  });
  after(() => database?.drop());
  const refusal = (attempt: Promise<unknown>) => attempt.then(String, ({ message }: Error) => message);

  it('has one holder at a time', async () => {
    const attempts = await Promise.allSettled([1, 2, 3].map(() => takeMigrationLease(database)));
    const taken = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(taken).to.have.length(1);
    expect(await refusal(takeMigrationLease(database))).to.equal('another "admin migrate" is running');
    await taken[0]?.value.release();
  });

  it('can be acquired again after its release', async () => {
    await (await takeMigrationLease(database)).release();
    await (await takeMigrationLease(database)).release();
    expect(await database.db.collection('meta').countDocuments()).to.equal(0);
  });

  it('expires by the clock of the database if its holder has crashed', async () => {
    const meta = database.db.collection<{ _id: string; holder: string; until: Date }>('meta');
    await meta.insertOne({ _id: 'migration', holder: 'dead', until: new Date(0) });
    await (await takeMigrationLease(database)).release();
    await meta.insertOne({ _id: 'migration', holder: 'alive', until: new Date('2999-01-01') });
    expect(await refusal(takeMigrationLease(database))).to.include('another');
  });
});
