import { expect } from 'chai';
import { startPrimaryClock } from '../../src/mongo/primary-clock.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

describe('primary clock on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await emptyDatabase();
  });
  after(() => database.drop());

  it('follows the time of the database with any local clock', async () => {
    const logged: object[] = [];
    const note = (facts: object) => logged.push(facts);
    const clock = await startPrimaryClock(database.db, { debug: note, info: note, warn: note, error: note });
    const before = clock.now();
    const { localTime } = (await database.db.command({ hello: 1 })) as { localTime: Date };
    const after = clock.now();
    clock.stop();
    // The server truncates its time to whole milliseconds.
    expect(localTime.getTime()).to.be.within(before.getTime() - 25, after.getTime() + 25);
    expect(logged).to.deep.equal([]);
  });
});
