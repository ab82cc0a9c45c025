import { expect } from 'chai';
import { createBacklog } from '../../src/mongo/backlog.js';
import { idFor, later, NOON } from '../../src/testing/builders.js';
import { collect } from '../../src/testing/collect.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { backlogContract, dueRows } from '../contract/backlog.contract.js';
import { mongoStores } from '../contract/stores-under-test.js';

describe('backlog on MongoDB', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  backlogContract(() => mongoStores(database));

  it('examines only the rows of an endpoint that it returns, for any length of its backlog', async () => {
    await database.store({ deliveries: dueRows('behind', 300, later(-600_000)) });
    const endpointId = idFor('endpoint', 'behind');
    const [found] = await profiled(database.db, async () => {
      expect(await createBacklog(database.collections).due(endpointId, NOON, 50)).to.have.length(50);
    });
    expect(found).to.include({ keysExamined: 50, docsExamined: 50 });
    expect(found?.planSummary).to.equal('IXSCAN { endpointId: 1, dueAt: 1 }');
    expect(found).not.to.have.property('hasSortStage');
  });

  it('reads the rows of 16 endpoints with one command, each as far as its limit', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `e${index}`);
    await database.store({ deliveries: names.flatMap((name) => dueRows(name, 40, later(-600_000))) });
    const backlog = createBacklog(database.collections);
    const commands = await profiled(database.db, async () => {
      const due = await Promise.all(
        names.map((name, index) => backlog.due(idFor('endpoint', name), NOON, index + 1)),
      );
      for (const [index, rows] of due.entries()) {
        const expected = dueRows(names[index]!, index + 1, later(-600_000)).map(({ id }) => id);
        expect(rows.map(({ deliveryId }) => deliveryId)).to.deep.equal(expected);
      }
    });
    expect(commands).to.have.length(1);
    expect(commands[0]).to.include({ keysExamined: 136, docsExamined: 136 });
    expect(commands[0]).not.to.have.property('hasSortStage');
  });

  it('answers 2,000 concurrent queries, of which at most 16 share a command', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `e${index}`);
    await database.store({ deliveries: names.flatMap((name) => dueRows(name, 1, later(-600_000))) });
    const backlog = createBacklog(database.collections);
    const due = await Promise.all(names.map((name) => backlog.due(idFor('endpoint', name), NOON, 2)));
    const endpoints = due.map((rows) => rows.map(({ endpointId }) => endpointId));
    expect(endpoints).to.deep.equal(names.map((name) => [idFor('endpoint', name)]));
  });

  it('returns as many rows as each of two concurrent queries for an endpoint asks for', async () => {
    await database.store({ deliveries: dueRows('behind', 5, later(-600_000)) });
    const backlog = createBacklog(database.collections);
    const due = await Promise.all(
      [2, 4, 3].map((limit) => backlog.due(idFor('endpoint', 'behind'), NOON, limit)),
    );
    expect(due.map((rows) => rows.length)).to.deep.equal([2, 4, 3]);
  });

  it('finds overdue endpoints with one index seek each, for any length of their backlogs', async () => {
    const behind = ['one', 'two', 'three'].flatMap((name) => dueRows(name, 200, later(-600_000)));
    await database.store({ deliveries: [...behind, ...dueRows('waiting', 200, later(60_000))] });
    const [found] = await profiled(database.db, async () => {
      const overdue = createBacklog(database.collections).overdueEndpoints(later(-30_000));
      expect((await collect(overdue)).flat()).to.have.length(3);
    });
    expect(found?.planSummary).to.equal('DISTINCT_SCAN { endpointId: 1, dueAt: 1 }');
    expect(found?.docsExamined).to.equal(0);
    expect(found?.keysExamined).to.be.at.most(8);
  });

  it('returns many overdue endpoints in pages', async () => {
    const behind = Array.from({ length: 1_500 }, (_, index) => dueRows(`e${index}`, 1, later(-600_000)));
    await database.store({ deliveries: behind.flat() });
    const pages = await collect(createBacklog(database.collections).overdueEndpoints(NOON));
    expect(pages.map((page) => page.length)).to.deep.equal([1_000, 500]);
    expect(new Set(pages.flat()).size).to.equal(1_500);
  });
});
