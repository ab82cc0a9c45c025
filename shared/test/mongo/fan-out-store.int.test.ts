import { expect } from 'chai';
import type { MongoBulkWriteError, WriteError } from 'mongodb';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { fanOutStoreContract, rowsNamed } from '../contract/fan-out-store.contract.js';
import { mongoStores } from '../contract/stores-under-test.js';

const DUPLICATE_KEY = 11_000;
const FAILED_VALIDATION = 121;

describe('the fan-out store on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  fanOutStoreContract(() => mongoStores(database));

  it('throws the id of a row that the database rejects and the reason, even if other rows are duplicates', async () => {
    const { fanOut, rows } = mongoStores(database);
    await database.db.command({ collMod: 'deliveries', validator: { traceId: { $ne: 'refused' } } });
    const [one, two] = rowsNamed('one', 'two');
    await fanOut.insert([one!]);
    const refused = { ...two!, traceId: 'refused' };
    const error = await fanOut
      .insert([one!, refused, ...rowsNamed('three')])
      .catch((reason: unknown) => reason);
    const { message, cause } = error as Error & { cause: MongoBulkWriteError };
    expect(message).to.equal(`row ${two!.id} could not be stored: Document failed validation`);
    const failures = cause.writeErrors as WriteError[];
    expect(failures.map(({ code }) => code)).to.deep.equal([DUPLICATE_KEY, FAILED_VALIDATION]);
    expect(await rows()).to.have.deep.members([one, ...rowsNamed('three')]);
  });
});
