import { expect } from 'chai';
import { createBacklog } from '../../src/mongo/backlog.js';
import {
  aDelivery,
  aFailedDelivery,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

describe('the backlog', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const endpoint = (name: string) => idFor('endpoint', name);
  /** So many rows of an endpoint, due one second after the other from `firstDue` on. */
  function rows(of: string, count: number, firstDue: Date) {
    return Array.from({ length: count }, (_, n) =>
      aDelivery({
        id: idFor('delivery', `${of} ${n}`, later(n)),
        endpointId: endpoint(of),
        dueAt: later(n * 1_000, firstDue),
      }),
    );
  }

  describe('of one endpoint', () => {
    it('is what is due, the longest due first, as its queue messages would say it', async () => {
      const young = aFailedDelivery(3, { id: idFor('delivery', 'young'), dueAt: later(-1_000) });
      const old = aDelivery({ id: idFor('delivery', 'old'), dueAt: later(-2_000) });
      await database.store({ deliveries: [young, old] });
      const facts = { endpointId: old.endpointId, workspaceId: WORKSPACE_ID, traceId: TRACE_ID };
      expect(await createBacklog(database.collections).due(old.endpointId, NOON, 10)).to.deep.equal([
        { deliveryId: old.id, ...facts, attempts: 0 },
        { deliveryId: young.id, ...facts, attempts: 3 },
      ]);
    });

    it('includes what is due right now, and nothing later, terminal or of another endpoint', async () => {
      const now = aDelivery({ dueAt: NOON });
      const next = aDelivery({ id: idFor('delivery', 'next'), dueAt: later(1) });
      const done = aTerminalDelivery('delivered', { id: idFor('delivery', 'done') });
      await database.store({ deliveries: [now, next, done, ...rows('another', 1, later(-5_000))] });
      const due = await createBacklog(database.collections).due(now.endpointId, NOON, 10);
      expect(due.map(({ deliveryId }) => deliveryId)).to.deep.equal([now.id]);
    });

    it('costs what it returns, however long it is', async () => {
      await database.store({ deliveries: rows('behind', 300, later(-600_000)) });
      const [found] = await profiled(database.db, async () => {
        expect(await createBacklog(database.collections).due(endpoint('behind'), NOON, 50)).to.have.length(
          50,
        );
      });
      expect(found).to.include({ keysExamined: 50, docsExamined: 50 });
      expect(found?.planSummary).to.equal('IXSCAN { endpointId: 1, dueAt: 1 }');
      expect(found).not.to.have.property('hasSortStage');
    });
  });

  describe('of all endpoints', () => {
    const overdue = (before: Date) => createBacklog(database.collections).overdueEndpoints(before);

    it('names each endpoint with an overdue row once', async () => {
      await database.store({
        deliveries: [
          ...rows('behind', 3, later(-60_000)),
          ...rows('on time', 3, later(-1_000)),
          ...rows('waiting', 1, later(60_000)),
          aTerminalDelivery('failed_permanent', { endpointId: endpoint('done') }),
        ],
      });
      expect(await overdue(later(-30_000))).to.deep.equal([endpoint('behind')]);
      expect(await overdue(later(-60_000))).to.deep.equal([endpoint('behind')]);
      expect(await overdue(later(-60_001))).to.deep.equal([]);
      expect(await overdue(NOON)).to.have.members([endpoint('behind'), endpoint('on time')]);
    });

    it('costs one look into the index for each endpoint, however much it has to do', async () => {
      const behind = ['one', 'two', 'three'].flatMap((name) => rows(name, 200, later(-600_000)));
      await database.store({ deliveries: [...behind, ...rows('waiting', 200, later(60_000))] });
      const [found] = await profiled(database.db, async () => {
        expect(await overdue(later(-30_000))).to.have.length(3);
      });
      expect(found?.planSummary).to.equal('DISTINCT_SCAN { endpointId: 1, dueAt: 1 }');
      expect(found?.docsExamined).to.equal(0);
      expect(found?.keysExamined).to.be.at.most(8);
    });

    it('is empty when there are no rows', async () => {
      expect(await overdue(NOON)).to.deep.equal([]);
    });
  });
});
