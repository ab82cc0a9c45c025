import { expect } from 'chai';
import type { EndpointId } from '../../src/domain/id.js';
import type { ReplayJobDocument } from '../../src/mongo/collections.js';
import { appendToOutbox, createOutboxStore } from '../../src/mongo/outbox-store.js';
import { insertReplayJob } from '../../src/mongo/replay-job-documents.js';
import { createSystemStats } from '../../src/mongo/system-stats.js';
import { createTaskRuns } from '../../src/mongo/task-runs.js';
import { inTransaction } from '../../src/mongo/transaction.js';
import { aDelivery, anEndpoint, idFor, later, NOON } from '../../src/testing/builders.js';
import { aReplayJob } from '../../src/testing/replay-job-builders.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

describe('system stats', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  describe('of due rows', () => {
    const rowAt = (name: string, dueAt: Date | null, endpointId: EndpointId) =>
      aDelivery({ id: idFor('delivery', name), dueAt, endpointId });
    const [one, two, three] = ['1', '2', '3'].map((name) => idFor('endpoint', name)) as [
      EndpointId,
      EndpointId,
      EndpointId,
    ];

    it('are 0 if no row is due', async () => {
      await database.store({ deliveries: [rowAt('later', later(1), one), rowAt('done', null, two)] });
      expect(await createSystemStats(database.collections).overdue(NOON)).to.deep.equal({
        lateMs: 0,
        endpoints: 0,
      });
    });

    it('return the longest overdue time and the number of endpoints with due rows', async () => {
      const deliveries = [
        rowAt('a', later(-5_000), one),
        rowAt('b', later(-7_000), one),
        rowAt('c', later(-9_000), two),
        rowAt('d', later(-8_000), two),
        rowAt('e', later(60_000), three),
      ];
      await database.store({ endpoints: [anEndpoint()], deliveries });
      const { overdue } = createSystemStats(database.collections);
      expect(await overdue(NOON)).to.deep.equal({ lateMs: 9_000, endpoints: 2 });
    });
  });

  describe('of the outbox', () => {
    const record = (id: string) => ({ id, topic: 't', key: 'k', headers: {}, subject: null, value: {} });
    const promiseAt = (id: string, claimedUntil: Date) =>
      database.client.withSession((session) =>
        appendToOutbox(database.collections, [record(id)], { claimedUntil, session }),
      );

    it('report no overdue record while the claims of writers last', async () => {
      await promiseAt('young', later(15_000));
      const found = await createSystemStats(database.collections).outbox(NOON);
      expect(found).to.deep.equal({ waiting: 1, overdueMs: 0, setAside: 0 });
    });

    it('measure lateness from the end of the writer’s claim, even if a sweep claimed the record again', async () => {
      await promiseAt('old', later(-40_000));
      await promiseAt('older', later(-60_000));
      await createOutboxStore(database.collections).claim(10, NOON, later(15_000));
      const found = await createSystemStats(database.collections).outbox(NOON);
      expect(found).to.deep.equal({ waiting: 2, overdueMs: 60_000, setAside: 0 });
    });

    it('count records that were set aside separately', async () => {
      await promiseAt('bad', later(-60_000));
      await createOutboxStore(database.collections).setAside('bad');
      const found = await createSystemStats(database.collections).outbox(NOON);
      expect(found).to.deep.equal({ waiting: 0, overdueMs: 0, setAside: 1 });
    });
  });

  it('count active replay jobs by state: by their leases', async () => {
    const { replayJobs } = database.collections;
    const jobs = { old: later(-9_000), young: later(-1_000), held: later(-20_000), free: NOON, done: NOON };
    for (const [name, createdAt] of Object.entries(jobs)) {
      const job = aReplayJob({ id: idFor('replayJob', name), createdAt });
      await inTransaction(database.client, (session) => insertReplayJob(database.collections, job, session));
    }
    const set = (name: string, $set: Partial<ReplayJobDocument>) =>
      replayJobs.updateOne({ _id: idFor('replayJob', name) }, { $set });
    await set('old', { leaseHolder: 'one', leaseUntil: later(9) });
    await set('young', { leaseHolder: 'two', leaseUntil: later(9) });
    await set('held', { leaseUntil: later(9) });
    await replayJobs.updateOne({ _id: idFor('replayJob', 'done') }, { $unset: { leaseUntil: 1 } });
    const found = await createSystemStats(database.collections).replayJobs(NOON);
    expect(found).to.have.deep.members([
      { state: 'running', jobs: 2, oldest: later(-9_000) },
      { state: 'resting', jobs: 1, oldest: later(-20_000) },
      { state: 'waiting', jobs: 1, oldest: NOON },
    ]);
    await replayJobs.updateMany({ leaseHolder: { $exists: true } }, { $set: { status: 'paused' } });
    const [paused] = (await createSystemStats(database.collections).replayJobs(NOON)).filter(
      ({ state }) => state === 'paused',
    );
    expect(paused).to.include({ jobs: 2 });
  });

  // Regression: the number of items was lost with a failed run, although it is exported as that of the last successful one.
  it('keep the last success of a task when a later run fails', async () => {
    const runs = createTaskRuns(database.collections);
    const run = { task: 'cleanup', settings: { retentionMs: 9 } };
    await runs.record({
      ...run,
      startedAt: NOON,
      endedAt: later(1),
      result: { handled: 3, isFinished: true },
    });
    await runs.record({ ...run, startedAt: later(5), endedAt: later(6), result: null });
    await runs.record({
      task: 'digest',
      settings: {},
      startedAt: later(5),
      endedAt: later(6),
      result: null,
    });
    const [cleanup, digest] = await createSystemStats(database.collections).taskRuns();
    expect(cleanup).to.deep.include({
      _id: 'cleanup',
      endedAt: later(6),
      handled: 3,
      lastSuccessAt: later(1),
    });
    expect(digest).to.deep.include({ _id: 'digest', handled: null, lastSuccessAt: null });
  });

  it('show since when a task has had too little time, until a run has enough', async () => {
    const runs = createTaskRuns(database.collections);
    const run = { task: 'digest', settings: {} };
    const unfinishedSince = async () =>
      (await createSystemStats(database.collections).taskRuns()).at(-1)?.unfinishedSince;
    const [finished, unfinished] = [true, false].map((isFinished) => ({ handled: 3, isFinished }));
    for (const [day, result] of [finished, unfinished, null, unfinished].entries())
      await runs.record({ ...run, startedAt: later(day), endedAt: later(day), result: result ?? null });
    expect(await unfinishedSince()).to.deep.equal(later(1));
    await runs.record({ ...run, startedAt: later(9), endedAt: later(9), result: finished ?? null });
    expect(await unfinishedSince()).to.equal(undefined);
  });
});
