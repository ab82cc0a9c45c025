import { expect } from 'chai';
import { firstIdAt } from '../../src/domain/id.js';
import { createCleanupProgress } from '../../src/mongo/cleanup-progress.js';
import { aDelivery, aTerminalDelivery, idFor, later, NOON } from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

describe('the progress of the cleanup', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());

  it('is none at first, and then as it was saved last', async () => {
    const { progress, saveProgress } = createCleanupProgress(database);
    expect(await progress()).to.equal(null);
    for (const saved of [
      { examinedTo: 'dlv_1', againTo: 'dlv_0' },
      { examinedTo: 'dlv_2', againTo: 'dlv_1' },
    ]) {
      await saveProgress(saved);
      expect(await progress()).to.deep.equal(saved);
    }
    await database.db.collection<{ _id: string }>('meta').deleteOne({ _id: 'cleanup' });
  });

  // Regression: the oldest delivery that has ended was searched behind all older ones that were still due.
  it('leaves out deliveries that were still due when they were examined, and reads none of them', async () => {
    const { oldestUnexamined, saveProgress } = createCleanupProgress(database);
    expect(await oldestUnexamined()).to.equal(null);
    const made = (n: number) => ({ id: idFor('delivery', `${n}`, later(n)), createdAt: later(n) });
    const due = Array.from({ length: 50 }, (_, n) => aDelivery(made(n)));
    await database.store({
      deliveries: [...due, ...[70, 60].map((n) => aTerminalDelivery('delivered', made(n)))],
    });
    expect(await oldestUnexamined()).to.deep.equal(NOON);
    await saveProgress({ examinedTo: firstIdAt('delivery', later(55)), againTo: '' });
    const operations = await profiled(database.db, async () =>
      expect(await oldestUnexamined()).to.deep.equal(later(60)),
    );
    expect(operations.map(({ docsExamined = 0 }) => docsExamined)).to.deep.equal([1, 1]);
  });
});
