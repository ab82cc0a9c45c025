import { expect } from 'chai';
import { type AggregateOptions, type Document, MongoServerError } from 'mongodb';
import type { WorkspaceId } from '../../src/domain/id.js';
import type { Collections } from '../../src/mongo/collections.js';
import { countDeliveries } from '../../src/mongo/delivery-counts.js';
import type { StatusCounts } from '../../src/ports/housekeeping.js';
import {
  aDelivery,
  aFailedDelivery,
  anEndpoint,
  aTerminalDelivery,
  idFor,
  later,
} from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const LIMITS = { maxDueRowsRead: 10, maxReadMs: 6_000, maxDeletedRead: 4, maxTimeMS: 7_000 };
const NONE = { pending: 0, delivered: 0, failed: 0, failed_permanent: 0, dead_lettered: 0, held: 0 };
const [FROM, TO] = [later(0), later(1_000_000)];
const workspaceOf = (name: string) => idFor('workspace', name);
const numbers = (length: number) => Array.from({ length }, (_, n) => n);

/** The facts of a delivery that was created, and is due, in a second. */
function at(second: number, name: string) {
  const createdAt = later(second * 1_000);
  const id = idFor('delivery', `${second} ${name}`, createdAt);
  return { id, createdAt, workspaceId: workspaceOf(name), endpointId: idFor('endpoint', name) };
}
const pendingAt = (second: number, name: string) =>
  aDelivery({ ...at(second, name), dueAt: later(second * 1_000) });
const deliveredAt = (second: number, name: string) => aTerminalDelivery('delivered', at(second, name));

/** The collection, in which queries with this time limit exceed it. */
function withSlowReads(deliveries: Collections['deliveries'], maxTimeMS: number): Collections['deliveries'] {
  const exceeded = () => new MongoServerError({ message: 'operation exceeded time limit', code: 50 });
  return new Proxy(deliveries, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      if (name !== 'aggregate') return own.bind(target);
      return (stages: Document[], options?: AggregateOptions) => {
        if (options?.maxTimeMS === maxTimeMS) throw exceeded();
        return own.call(target, stages, options);
      };
    },
  });
}

describe('counts of deliveries', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  beforeEach(() =>
    database.store({
      endpoints: ['many', 'few'].map((name) =>
        anEndpoint({ id: idFor('endpoint', name), workspaceId: workspaceOf(name) }),
      ),
    }),
  );
  afterEach(() => database.clear());
  after(() => database.drop());

  const countOf = async (names: readonly string[], to: Date | null) => {
    let countsOf: (id: WorkspaceId) => StatusCounts = () => NONE;
    const operations = await profiled(database.db, async () => {
      countsOf = await countDeliveries(database.collections, LIMITS)(names.map(workspaceOf), FROM, to);
    });
    return { counts: names.map((name) => countsOf(workspaceOf(name))), operations };
  };

  it('are exact while few rows are due, whenever these were created', async () => {
    const due = [pendingAt(-5, 'few'), pendingAt(5, 'few'), pendingAt(6, 'few'), pendingAt(2_000, 'few')];
    const retry = aFailedDelivery(1, at(7, 'few'));
    await database.store({ deliveries: [...due, retry, deliveredAt(8, 'few')] });
    const within = { ...NONE, pending: 2, failed: 1, delivered: 1 };
    expect((await countOf(['few'], TO)).counts).to.deep.equal([within]);
    expect((await countOf(['few'], null)).counts).to.deep.equal([{ ...within, pending: 3 }]);
  });

  for (const to of [null, TO]) {
    it(`read a bounded number of due rows ${to === null ? 'since a time' : 'of a span'}`, async () => {
      const before = numbers(30).map((second) => pendingAt(second - 100, 'many'));
      const within = numbers(40).map((second) => pendingAt(second, 'many'));
      const retries = numbers(3).map((n) =>
        aFailedDelivery(1, { ...at(50 + n, 'many'), dueAt: later(60_000) }),
      );
      const delivered = numbers(20).map((n) => deliveredAt(100 + n, 'many'));
      const few = [pendingAt(-5, 'few'), pendingAt(5, 'few'), deliveredAt(6, 'few')];
      await database.store({ deliveries: [...before, ...within, ...retries, ...delivered, ...few] });
      const { counts, operations } = await countOf(['many', 'few'], to);
      expect(counts).to.deep.equal([
        { ...NONE, pending: 40, failed: 3, delivered: 20 },
        { ...NONE, pending: 1, delivered: 1 },
      ]);
      for (const { docsExamined = 0, command } of operations)
        expect(docsExamined, JSON.stringify(command)).to.be.at.most(LIMITS.maxDueRowsRead + 1);
    });
  }

  // Regression: all endpoints that were deleted in the span were read, however many there were.
  it('read a bounded number of deleted endpoints, the ones deleted last', async () => {
    const deleted = (name: string, count: number) =>
      numbers(count).map((n) =>
        anEndpoint({
          id: idFor('endpoint', `${name} ${n}`),
          workspaceId: workspaceOf(name),
          deletedAt: later(1_000 + n),
        }),
      );
    const pendingOf = (name: string, n: number) => ({
      ...pendingAt(5 + n, name),
      endpointId: idFor('endpoint', `${name} ${n}`),
    });
    await database.store({
      endpoints: [...deleted('many', 40), ...deleted('few', 2)],
      deliveries: [
        pendingAt(1, 'many'),
        ...[37, 38, 39].map((n) => pendingOf('many', n)),
        pendingAt(1, 'few'),
        ...[0, 1].map((n) => pendingOf('few', n)),
      ],
    });
    for (const names of [['many'], ['many', 'few']]) {
      const { counts, operations } = await countOf(names, TO);
      expect(counts).to.deep.equal(
        [
          { ...NONE, pending: 4 },
          { ...NONE, pending: 3 },
        ].slice(0, names.length),
      );
      for (const { keysExamined = 0, command } of operations) {
        expect(keysExamined, JSON.stringify(command)).to.be.at.most(LIMITS.maxDeletedRead + 10);
        expect([LIMITS.maxReadMs, LIMITS.maxTimeMS]).to.include(command.maxTimeMS);
      }
    }
  });

  // Regression: where held deliveries came first, all rows since then were read, of all workspaces.
  it('read no rows of deliveries that were held or sent', async () => {
    const ofPeriod = { failureReason: 'endpoint_disabled', heldSince: FROM } as const;
    const held = numbers(200).map((second) =>
      aTerminalDelivery('failed_permanent', { ...at(second, 'many'), ...ofPeriod }),
    );
    const sent = numbers(300).map((n) => deliveredAt(200 + n, 'many'));
    await database.store({ deliveries: [...held, ...sent, deliveredAt(900, 'few')] });
    for (const names of [['many'], ['many', 'few']]) {
      const { counts, operations } = await countOf(names, null);
      expect(counts[0]).to.deep.equal({ ...NONE, held: 200, delivered: 300 });
      for (const { docsExamined, command } of operations)
        expect(docsExamined ?? 0, JSON.stringify(command)).to.equal(0);
    }
  });

  it('never show more pending deliveries than there are besides the others', async () => {
    const older = numbers(30).map((n) => aDelivery({ ...at(n - 100, 'many'), dueAt: later(5_000) }));
    await database.store({
      deliveries: [...older, pendingAt(1, 'many'), aTerminalDelivery('dead_lettered', at(2, 'many'))],
    });
    expect((await countOf(['many'], null)).counts).to.deep.equal([{ ...NONE, pending: 1, dead_lettered: 1 }]);
  });

  // Regression: with large payloads, the overview failed for as long as there was a backlog.
  it('count index keys of workspaces whose rows take too long to read', async () => {
    const retries = numbers(2).map((n) => aFailedDelivery(1, { ...at(50 + n, 'few'), dueAt: later(60_000) }));
    const due = [-5, 5, 2_000].map((second) => pendingAt(second, 'few'));
    await database.store({ deliveries: [...due, ...retries] });
    const deliveries = withSlowReads(database.collections.deliveries, LIMITS.maxReadMs);
    const counted = countDeliveries({ ...database.collections, deliveries }, LIMITS);
    const counts = await counted([workspaceOf('few'), workspaceOf('many')], FROM, TO);
    expect(counts(workspaceOf('few'))).to.deep.equal({ ...NONE, pending: 1, failed: 2 });
    expect(counts(workspaceOf('many'))).to.deep.equal(NONE);
  });
});
