import { idOf } from '@postrider/shared/domain/id';
import type { DeliveryDocument } from '@postrider/shared/mongo/collections';
import { createHistory } from '@postrider/shared/mongo/history';
import { ENDPOINT_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { type Operation, profiled } from '@postrider/shared/testing/profiled';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { expect } from 'chai';
import { removeExpired } from '../src/remove-expired.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = new Date('2026-03-31T00:00:00.000Z');
const FORTY_DAYS_AGO = NOW.getTime() - 40 * DAY_MS;

/** The n-th row in order of creation. */
function rowOf(n: number, dueAt: Date | null): DeliveryDocument {
  const createdAt = new Date(FORTY_DAYS_AGO + n);
  const fields = {
    _id: idOf('delivery', createdAt, Buffer.alloc(10, 1)),
    endpointId: ENDPOINT_ID,
    workspaceId: WORKSPACE_ID,
    status: dueAt === null ? 'delivered' : 'pending',
    createdAt,
    ...(dueAt !== null && { dueAt }),
  };
  return fields as unknown as DeliveryDocument;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('removing expired deliveries', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());

  const store = (rows: readonly DeliveryDocument[]) =>
    database.collections.deliveries.insertMany(rows, { ordered: false });
  const cleanUp = async () => {
    const { handled } = await removeExpired({
      history: createHistory(database),
      clock: { now: () => NOW },
      monotonicMs: () => performance.now(),
      retentionMs: 30 * DAY_MS,
      budgetMs: 60_000,
      workers: 2,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    return handled;
  };
  const examined = (operations: readonly Operation[]) =>
    operations.map(({ docsExamined = 0 }) => docsExamined);

  // Regression: every run walked all due rows of a slow endpoint in one query before it removed anything.
  it('examines old rows that are still due in small queries', async () => {
    const DUE = 100_000;
    const dueAt = new Date(FORTY_DAYS_AGO);
    for (let from = 0; from < DUE; from += 10_000)
      await store(range(from, from + 10_000).map((n) => rowOf(n, dueAt)));
    await store(range(DUE, DUE + 250).map((n) => rowOf(n, null)));
    const first = await profiled(database.db, async () => expect(await cleanUp()).to.equal(250));
    expect(Math.max(...examined(first))).to.be.at.most(10_000);
    const { deliveries } = database.collections;
    expect(await deliveries.countDocuments({ dueAt: { $exists: false } })).to.equal(0);
    expect(await deliveries.estimatedDocumentCount()).to.equal(DUE);
  });
});
