import { SYSTEM } from '@postrider/shared/domain/audit-event';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { handledBy, heldReplayJob, newReplayJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import { insertReplayJob } from '@postrider/shared/mongo/replay-job-documents';
import { inTransaction } from '@postrider/shared/mongo/transaction';
import { createFailpoints } from '@postrider/shared/runtime/failpoints';
import { sleep } from '@postrider/shared/runtime/sleep';
import {
  anEndpoint,
  aTerminalDelivery,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { profiled } from '@postrider/shared/testing/profiled';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { expect } from 'chai';
import { createReplayJobStore } from '../../src/mongo/replay-job-store.js';
import type { ReplayJobStore } from '../../src/ports/replay-jobs.js';
import { planBatch } from '../../src/replay/plan-batch.js';

const LEASE_MS = 5_000;

/** What held rows of a disabled period have in common. */
const PERIOD = {
  heldSince: NOON,
  status: 'failed_permanent',
  failureReason: 'endpoint_disabled',
} as const;

describe('store of replay jobs', () => {
  let database: TestDatabase;
  let now: Date;
  before(async () => {
    database = await testDatabase();
    // The test's clock is in the past: the database would remove what expires within half a year of it.
    const { replaySources, replayClaims } = database.collections;
    for (const collection of [replaySources, replayClaims]) await collection.dropIndex('expiresAt_1');
  });
  after(() => database?.drop());
  beforeEach(async () => {
    now = later(3_600_000);
    await database.clear();
    await database.store({ endpoints: [anEndpoint()] });
  });

  it('takes over a job that a crashed process left locked, long before the server unlocks it', async () => {
    await insert(aJob());
    const session = database.client.startSession();
    session.startTransaction();
    await database.collections.replayJobs.updateOne({}, { $set: { matched: 1 } }, { session });
    const before = performance.now();
    const claimed = await storeOf('one').claim([]);
    expect(claimed).to.include({ matched: 0 });
    expect(performance.now() - before).to.be.below(20_000);
    await session.abortTransaction().catch(() => {});
    await session.endSession();
  }).timeout(90_000);

  const storeOf = (
    holder: string,
    parts: Partial<Parameters<typeof createReplayJobStore>[0]> = {},
  ): ReplayJobStore =>
    createReplayJobStore({
      database,
      relay: { offer: () => {} },
      clock: { now: () => now },
      outboxClaimMs: 1_000,
      holder,
      leaseMs: LEASE_MS,
      crashBefore: createFailpoints([]),
      ...parts,
    });
  const sources = (count: number, facts: Partial<Delivery> = {}) =>
    Array.from({ length: count }, (_, n) => {
      const at = later(n * 1_000);
      const id = idFor('delivery', `${facts.failureReason ?? ''} ${n}`, at);
      return { ...aTerminalDelivery('dead_lettered'), ...facts, id, createdAt: at } as Delivery;
    });
  const insert = (job: ReplayJob) =>
    inTransaction(database.client, (session) => insertReplayJob(database.collections, job, session));
  const aJob = (change: Partial<Parameters<typeof newReplayJob>[0]> = {}) =>
    newReplayJob({
      id: idFor('replayJob', 'job'),
      workspaceId: WORKSPACE_ID,
      actor: { type: 'system', id: null },
      traceId: TRACE_ID,
      filter: {
        endpointId: null,
        statuses: ['dead_lettered', 'failed_permanent'],
        eventTypes: null,
        failureReasons: null,
        createdAfter: later(-1),
        createdBefore: later(3_600_000),
        includeReplayed: false,
      },
      dryRun: false,
      ratePerSecond: 100,
      createdAt: NOON,
      ...change,
    });
  const replays = () => database.collections.deliveries.find({ class: 'replay' }).toArray();
  const counted = async (store: ReplayJobStore, job: ReplayJob) => {
    let current = job;
    while (current.status === 'counting') current = (await store.count(current))!;
    return current;
  };

  it('leases a job to one process until the lease expires, then to the next one', async () => {
    await insert(aJob());
    const [one, other] = [storeOf('one'), storeOf('other')];
    const job = await one.claim([]);
    expect(job).to.deep.include({ status: 'counting', startedAt: now });
    expect(await other.claim([])).to.equal(null);
    now = new Date(now.getTime() + LEASE_MS);
    expect((await other.claim([]))!.id).to.equal(job!.id);
    expect(await one.renew(job!, 'running')).to.equal(null);
    expect(await one.count(job!)).to.equal(null);
    expect(await one.replay(job!, 10, planBatch(10, now))).to.equal(null);
    expect(await one.release(job!)).to.equal(false);
    expect(await storeOf('third').claim([])).to.equal(null);
    expect(await other.release(job!)).to.equal(true);
    expect((await storeOf('third').claim([]))!.id).to.equal(job!.id);
  });

  it('creates replays at the time of their batch, also after the job has waited', async () => {
    const [source] = sources(1);
    await database.store({ deliveries: [source!] });
    await insert(aJob());
    const store = storeOf('one');
    const job = await counted(store, (await store.claim([]))!);
    for (let waited = 0; waited < 3; waited += 1) {
      now = new Date(now.getTime() + 1_000);
      await store.renew(job, 'paused');
    }
    await store.replay(job, 10, planBatch(10, now));
    expect((await replays()).map(({ createdAt }) => createdAt)).to.deep.equal([now]);
  });

  // Regression: its first replays seemed to be from before the wait.
  it('creates replays at the time of their batch when another process continues the job', async () => {
    await database.store({ deliveries: sources(1) });
    await insert(aJob());
    const [one, other] = [storeOf('one'), storeOf('other')];
    await one.release(await counted(one, (await one.claim([]))!));
    now = new Date(now.getTime() + 60_000);
    const job = (await other.claim([]))!;
    await other.replay(job, 10, planBatch(10, now));
    expect((await replays()).map(({ createdAt }) => createdAt)).to.deep.equal([now]);
  });

  const requestedJob = (name: string) =>
    aJob({ id: idFor('replayJob', name), actor: { type: 'api_token', id: idFor('token', 'one') } });

  // Regression: a requested job that had given up its lease waited for all jobs of recovered endpoints.
  it('leases requested jobs before those of recovered endpoints, also after their turns', async () => {
    await insert(aJob());
    const [one, other] = [requestedJob('requested'), requestedJob('other')];
    await insert(one);
    const store = storeOf('one');
    const first = (await store.claim([]))!;
    expect(first.id).to.equal(one.id);
    await store.release(first);
    expect(await store.nextWaiting([])).to.deep.equal({ workspaceId: WORKSPACE_ID, kind: 'requested' });
    await insert(other);
    const claimed = [await store.claim([]), await store.claim([]), await store.claim([])];
    expect(
      claimed.map((job) => job?.id),
      'the one that has waited longest first',
    ).to.deep.equal([other.id, one.id, aJob().id]);
  });

  it('leases a job of the system before requested ones if it is asked to', async () => {
    await insert(aJob());
    await insert(requestedJob('requested'));
    const store = storeOf('one');
    expect(await store.nextWaiting([], [], 'system')).to.deep.equal({
      workspaceId: WORKSPACE_ID,
      kind: 'system',
    });
    expect((await store.claim([], [], 'system'))!.id).to.equal(aJob().id);
    expect((await store.claim([], [], 'system'))!.id, 'no other of the system').to.equal(
      requestedJob('requested').id,
    );
  });

  it('reads no job of the system to find that no requested one waits', async () => {
    for (let n = 0; n < 50; n += 1) await insert(aJob({ id: idFor('replayJob', `${n}`) }));
    const operations = await profiled(database.db, async () => {
      await storeOf('one').claim([]);
    });
    const examined = operations.map(({ docsExamined }) => docsExamined ?? 0);
    expect(examined.reduce((sum, count) => sum + count, 0)).to.equal(1);
  });

  it('finds the requested job that has waited longest without a sort, whoever requested them', async () => {
    for (const type of ['member', 'api_token', 'portal_link'] as const)
      for (let n = 0; n < 20; n += 1) {
        const id = idFor('replayJob', `${type} ${n}`);
        await insert(aJob({ id, actor: { type, id: null } }));
        await database.collections.replayJobs.updateOne({ _id: id }, { $set: { leaseUntil: later(n) } });
      }
    const oldest = idFor('replayJob', 'api_token 7');
    await database.collections.replayJobs.updateOne({ _id: oldest }, { $set: { leaseUntil: new Date(0) } });
    let claimed: ReplayJob | null = null;
    const operations = await profiled(database.db, async () => {
      claimed = await storeOf('one').claim([]);
    });
    expect(claimed).to.include({ id: oldest });
    for (const { hasSortStage, docsExamined = 0 } of operations)
      expect({ hasSortStage, isBounded: docsExamined <= 3 }).to.deep.equal({
        hasSortStage: undefined,
        isBounded: true,
      });
  });

  it('leases no job that the process runs to it, though the lease expired', async () => {
    await insert(aJob());
    const [one, other] = [storeOf('one'), storeOf('other')];
    const job = (await one.claim([]))!;
    now = new Date(now.getTime() + LEASE_MS);
    expect(await one.nextWaiting([job.id])).to.equal(null);
    expect(await one.claim([job.id])).to.equal(null);
    expect(await one.renew(job, 'running'), 'no other process took it').to.include({ id: job.id });
    now = new Date(now.getTime() + LEASE_MS);
    expect(await other.nextWaiting([])).to.include({ workspaceId: job.workspaceId });
    expect(await other.claim([])).to.include({ id: job.id });
    expect(await one.reload(job)).to.equal(null);
  });

  // Regression: the next process began the same slice again, so that a job never ended on a slow database.
  it('keeps the lease during a slice that takes longer than it', async () => {
    await database.store({ deliveries: sources(3) });
    await insert(aJob());
    const leaseMs = 300;
    const other = storeOf('other', { leaseMs });
    const { deliveries, replayJobs } = database.collections;
    const renewedAfter = (ms: number) => {
      now = new Date(now.getTime() + ms);
      const leaseUntil = new Date(now.getTime() + leaseMs);
      return eventually(async () => expect(await replayJobs.findOne({ leaseUntil })).to.not.equal(null));
    };
    const find = (...args: Parameters<typeof deliveries.find>) => {
      const rows = deliveries.find(...args);
      const toArray = rows.toArray.bind(rows);
      return Object.assign(rows, {
        async toArray() {
          for (let renewal = 0; renewal < 3; renewal += 1) await renewedAfter(200);
          expect(await other.claim([])).to.equal(null);
          return toArray();
        },
      });
    };
    const slow = { ...database, collections: { ...database.collections, deliveries: { find } as never } };
    const store = storeOf('one', { leaseMs, database: slow });
    expect(await store.count((await store.claim([]))!)).to.include({ status: 'running', matched: 3 });
    now = new Date(now.getTime() + leaseMs);
    expect(await other.claim([]), 'after the last renewal').to.include({ matched: 3 });
  });

  // Regression: the transaction wrote the job last, so another process took it meanwhile and the batch was lost, again and again.
  it('stores a batch that takes longer than the lease, while another process looks for jobs', async () => {
    await database.store({ deliveries: sources(3) });
    await insert(aJob());
    const leaseMs = 300;
    const other = storeOf('other', { leaseMs });
    const { deliveries } = database.collections;
    let claiming: Promise<ReplayJob | null> | null = null;
    const distinct = async (...args: Parameters<typeof deliveries.distinct>) => {
      now = new Date(now.getTime() + 2 * leaseMs);
      claiming ??= other.claim([]);
      await Promise.race([claiming, sleep(leaseMs)]);
      return deliveries.distinct(...args);
    };
    const collections = {
      ...database.collections,
      deliveries: Object.assign(Object.create(deliveries), { distinct }),
    };
    const store = storeOf('one', { leaseMs, database: { ...database, collections } });
    const job = await counted(store, (await store.claim([]))!);
    const batch = await store.replay(job, 10, planBatch(10, now));
    expect(await claiming, 'waited for the end of the transaction').to.equal(null);
    expect(batch?.job).to.include({ replayed: 3 });
    expect(await replays()).to.have.length(3);
    now = new Date(now.getTime() + leaseMs);
    expect(await other.claim([]), 'after the batch').to.include({ replayed: 3 });
  });

  it('extends the lease while it looks for replays that were not sent', async () => {
    await database.store({ deliveries: sources(3) });
    await insert(aJob());
    const leaseMs = 300;
    const other = storeOf('other', { leaseMs });
    const { deliveries, replayJobs } = database.collections;
    const renewed = () => {
      now = new Date(now.getTime() + 200);
      const leaseUntil = new Date(now.getTime() + leaseMs);
      return eventually(async () => expect(await replayJobs.findOne({ leaseUntil })).to.not.equal(null));
    };
    const find = (...args: Parameters<typeof deliveries.find>) => {
      const rows = deliveries.find(...args);
      const toArray = rows.toArray.bind(rows);
      return Object.assign(rows, {
        async toArray() {
          for (let renewal = 0; renewal < 3; renewal += 1) await renewed();
          expect(await other.claim([])).to.equal(null);
          return toArray();
        },
      });
    };
    const collections = {
      ...database.collections,
      deliveries: Object.assign(Object.create(deliveries), { find }),
    };
    const fast = storeOf('one', { leaseMs });
    const job = await counted(fast, (await fast.claim([]))!);
    const { job: replayed } = (await fast.replay(job, 2, planBatch(2, now)))!;
    const slow = storeOf('one', { leaseMs, database: { ...database, collections } });
    expect(await slow.lastUnsent(replayed)).to.have.length(2);
  });

  it('leases no job of an excepted workspace', async () => {
    const workspaceId = idFor('workspace', 'other');
    const other = aJob({ id: idFor('replayJob', 'other'), workspaceId });
    await insert(aJob());
    await insert(other);
    const store = storeOf('one');
    expect(await store.nextWaiting([], [WORKSPACE_ID])).to.deep.equal({ workspaceId, kind: 'system' });
    expect(await store.claim([], [WORKSPACE_ID])).to.include({ id: other.id });
    expect(await store.nextWaiting([other.id], [WORKSPACE_ID])).to.equal(null);
    expect(await store.claim([other.id], [WORKSPACE_ID])).to.equal(null);
    expect(await store.nextWaiting([other.id])).to.include({ workspaceId: WORKSPACE_ID });
  });

  it('reads a job again, so that counting continues after a step of which the result was lost', async () => {
    await database.store({ deliveries: sources(3) });
    await insert(aJob());
    const store = storeOf('one');
    const job = (await store.claim([]))!;
    const counted = await store.count(job);
    const refused = await store.count(job).catch((error: unknown) => error);
    expect(refused, 'the same deliveries twice').to.have.property('code', 11_000);
    expect(await store.reload(job)).to.deep.equal(counted);
    const ended = await store.end(counted!, 'succeeded');
    expect(await store.reload(job), 'also once it has ended').to.deep.equal(ended);
    expect(await store.release(job), 'once it has ended').to.equal(false);
  });

  it('adds up what a dry run would skip over its slices, also in another process', async () => {
    const rows = sources(2_500);
    const gone = { endpointId: idFor('endpoint', 'gone') };
    await database.store({ deliveries: rows.map((row, n) => (n % 5 === 0 ? { ...row, ...gone } : row)) });
    await insert(aJob({ dryRun: true }));
    const [one, other] = [storeOf('one'), storeOf('other')];
    const first = (await one.count((await one.claim([]))!))!;
    expect(first).to.deep.include({ matched: 1_000, skipped: { ...first.skipped, endpointDeleted: 200 } });
    await one.release(first);
    const job = await counted(other, (await other.claim([]))!);
    expect(job).to.deep.include({ status: 'succeeded', matched: 2_500, replayed: 0 });
    expect(job.skipped.endpointDeleted).to.equal(500);
  });

  it('leaves a resting job alone until its time, then lets any process take it', async () => {
    await insert(aJob());
    const [one, other] = [storeOf('one'), storeOf('other')];
    const job = (await one.claim([]))!;
    await one.rest(job, new Date(now.getTime() + 2 * LEASE_MS));
    expect(await one.renew(job, 'running'), 'has no lease any more').to.equal(null);
    now = new Date(now.getTime() + LEASE_MS);
    expect(await other.nextWaiting([])).to.equal(null);
    expect(await other.claim([])).to.equal(null);
    now = new Date(now.getTime() + LEASE_MS);
    expect((await other.claim([]))!.id).to.equal(job.id);
    await one.rest(job, new Date(0));
    expect(await one.nextWaiting([]), 'a former holder changes nothing').to.equal(null);
  });

  it('continues a crashed process without replaying anything twice', async () => {
    const matched = 2_500;
    await database.store({ deliveries: sources(matched) });
    await insert(aJob());
    for (let crash = 0, done = false; !done; crash += 1) {
      const store = storeOf(`process ${crash}`);
      let job = (await store.claim([]))!;
      if (job.status === 'counting') job = (await store.count(job))!;
      else if (handledBy(job) < job.matched) await store.replay(job, 250, planBatch(200, now));
      else done = (await store.end(job, 'succeeded')) !== null;
      now = new Date(now.getTime() + LEASE_MS);
    }
    const job = await database.collections.replayJobs.findOne();
    expect(job).to.include({ status: 'succeeded', matched, replayed: matched });
    expect(job!.expiresAt!.getTime() - job!.endedAt!.getTime()).to.equal(30 * 86_400_000);
    const found = await replays();
    expect(found).to.have.length(matched);
    expect(new Set(found.map(({ replayedFrom }) => replayedFrom))).to.have.property('size', matched);
  });

  it('replays the oldest deliveries first', async () => {
    const rows = sources(20);
    await database.store({ deliveries: rows.toReversed() });
    await insert(aJob());
    const store = storeOf('one');
    const job = await counted(store, (await store.claim([]))!);
    const batch = await store.replay(job, 10, planBatch(5, now));
    expect(batch!.replays.map(({ replayedFrom }) => replayedFrom)).to.deep.equal(
      rows.slice(0, 5).map(({ id }) => id),
    );
  });

  it('counts deliveries that expired or changed since they were counted as such', async () => {
    const rows = sources(3);
    await database.store({ deliveries: rows });
    await insert(aJob());
    const store = storeOf('one');
    const job = await counted(store, (await store.claim([]))!);
    await database.collections.deliveries.deleteOne({ _id: rows[0]!.id });
    await database.collections.deliveries.updateOne({ _id: rows[1]!.id }, { $set: { status: 'delivered' } });
    const batch = await store.replay(job, 10, planBatch(10, now));
    expect(batch!.job).to.deep.include({ replayed: 1, skipped: { ...job.skipped, expired: 1, changed: 1 } });
    expect(handledBy(batch!.job)).to.equal(batch!.job.matched);
  });

  it('replays exactly the rows of one disabled period, and those that arrive later', async () => {
    const held = sources(5, { ...PERIOD, failingSince: null } as Partial<Delivery>);
    const [late, ...early] = held;
    const others = sources(3, {
      status: 'failed_permanent',
      failureReason: 'http_status',
    } as Partial<Delivery>);
    await database.store({ deliveries: [...early, ...others] });
    const ended = { workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID, since: NOON, enabledAt: now };
    await insert(heldReplayJob(ended, { ...aJob(), id: idFor('replayJob', 'held') }));
    const store = storeOf('one');
    let job: ReplayJob | null = await counted(store, (await store.claim([]))!);
    expect(job.matched).to.equal(4);
    job = (await store.replay(job, 10, planBatch(10, now)))!.job;
    expect((await store.countArrivals(job))!.matched).to.equal(4);
    await database.store({ deliveries: [late!] });
    job = (await store.countArrivals(job))!;
    expect(job.matched).to.equal(5);
    job = (await store.replay(job, 10, planBatch(10, now)))!.job;
    expect(handledBy(job)).to.equal(5);
    expect((await replays()).map(({ replayedFrom }) => replayedFrom)).to.have.members(
      held.map(({ id }) => id),
    );
    await store.end(job, 'succeeded');
    await store.forget(job.id);
    expect(await database.collections.replaySources.countDocuments()).to.equal(0);
  });

  it('renews the lease with each slice of a look for arrivals, and compares it with its own part of what is known', async () => {
    const held = sources(5_500, { ...PERIOD, failingSince: null } as Partial<Delivery>);
    const late = held.filter((_, n) => n % 1_100 === 50);
    await database.store({ deliveries: held.filter((row) => !late.includes(row)) });
    const ended = { workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID, since: NOON, enabledAt: now };
    await insert(heldReplayJob(ended, { ...aJob(), id: idFor('replayJob', 'held') }));
    const store = storeOf('one');
    let job: ReplayJob | null = await counted(store, (await store.claim([]))!);
    await database.store({ deliveries: late });
    for (const look of ['with arrivals', 'without']) {
      const operations = await profiled(database.db, async () => {
        job = await store.countArrivals(job!);
      });
      expect(job, look).to.include({ matched: 5_500 });
      const of = (collection: string) => operations.filter(({ ns }) => ns.endsWith(`.${collection}`));
      const renewals = of('replay_jobs').filter(({ command }) => command.findAndModify !== undefined);
      expect(renewals.length, look).to.be.at.least(6);
      const compared = of('replay_sources').filter(({ op }) => op === 'query' || op === 'command');
      expect(
        compared.reduce((sum, { docsExamined }) => sum + (docsExamined ?? 0), 0),
        look,
      ).to.be.within(1, 34);
    }
  });

  it('reads no payload but those of the deliveries that it replays', async () => {
    const payload = { padding: 'x'.repeat(10_000) };
    await database.store({ deliveries: sources(30, { payload }) });
    await insert(aJob());
    const store = storeOf('one');
    const job = await counted(store, (await store.claim([]))!);
    const operations = await profiled(database.db, () => store.replay(job, 30, planBatch(5, now)));
    const read = operations.filter(({ ns, op }) => ns.endsWith('.deliveries') && op === 'query');
    expect(Math.max(...read.map(({ responseLength }) => responseLength ?? 0))).to.be.within(50_000, 60_000);
    expect(await replays()).to.have.length(5);
    expect((await replays())[0]).to.deep.include({ payload });
  });

  // Regression: where failures were dense at first, as in an outage, it read all later deliveries of all workspaces by their id.
  for (const [kind, facts, change] of [
    ['a workspace', {}, {}],
    ['an endpoint', {}, { endpointId: ENDPOINT_ID }],
    ['a disabled period', PERIOD, null],
  ] as const) {
    it(`reads none of the deliveries after those that match in ${kind}`, async () => {
      const others = Array.from({ length: 1_000 }, (_, n) => {
        const at = later((200 + n) * 1_000);
        return { ...aTerminalDelivery('delivered'), id: idFor('delivery', `${n}`, at), createdAt: at };
      });
      await database.store({ deliveries: [...sources(200, facts), ...others] });
      const period = { workspaceId: WORKSPACE_ID, endpointId: ENDPOINT_ID, since: NOON, enabledAt: now };
      const jobFacts = { id: idFor('replayJob', 'job'), actor: SYSTEM, source: null, traceId: TRACE_ID };
      await insert(
        change === null
          ? heldReplayJob(period, jobFacts)
          : aJob({ filter: { ...aJob().filter, ...change, createdBefore: now } }),
      );
      const store = storeOf('one');
      const job = (await store.claim([]))!;
      const operations = await profiled(database.db, () => store.count(job));
      const reads = operations.filter(({ ns, op }) => ns.endsWith('.deliveries') && op !== 'command');
      expect(reads.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)).to.equal(200);
    });
  }

  it('finds the replays that wait for their first attempt', async () => {
    const rows = sources(1_200);
    await database.store({ deliveries: rows });
    await insert(aJob());
    const store = storeOf('one');
    let job = await counted(store, (await store.claim([]))!);
    job = (await store.replay(job, 1_000, planBatch(1_000, now)))!.job;
    const batch = (await store.replay(job, 100, planBatch(100, now)))!;
    const [sent, tried, waiting] = batch.replays;
    const { deliveries } = database.collections;
    await deliveries.updateOne({ _id: sent!.id }, { $set: { attempts: 1 }, $unset: { dueAt: 1 } });
    await deliveries.updateOne({ _id: tried!.id }, { $set: { attempts: 1 } });
    const ids = [sent!.id, tried!.id, waiting!.id];
    expect(await store.unsentOf(batch.job, ids)).to.deep.equal(new Set([waiting!.id]));
    const last = await storeOf('next').lastUnsent(batch.job);
    expect(last).to.have.length(1_098);
    expect(last).to.deep.include({ id: waiting!.id, endpointId: ENDPOINT_ID });
  });

  // Regression: whoever took over a job read all replays that other jobs had made of its deliveries before.
  it('reads only replays since the creation of the job to find those that wait for their first attempt', async () => {
    const rows = sources(10);
    const earlier = rows.flatMap(({ id }, n) =>
      Array.from({ length: 10 }, (_, replay) => ({
        ...rows[0]!,
        id: idFor('delivery', `earlier ${n} ${replay}`, later(1_800_000)),
        replayedFrom: id,
        class: 'replay' as const,
      })),
    );
    await database.store({ deliveries: [...rows, ...earlier] });
    const { filter } = aJob();
    await insert(
      aJob({ createdAt: now, filter: { ...filter, createdBefore: later(600_000), includeReplayed: true } }),
    );
    const store = storeOf('one');
    const job = await counted(store, (await store.claim([]))!);
    const batch = (await store.replay(job, 10, planBatch(10, now)))!;
    const operations = await profiled(database.db, async () =>
      expect(await storeOf('next').lastUnsent(batch.job)).to.have.length(10),
    );
    const [read] = operations.filter(({ ns, op }) => ns.endsWith('.deliveries') && op === 'query');
    expect(read).to.include({ docsExamined: 10 });
  });
});
