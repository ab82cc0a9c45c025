import type { Backlog, DueRow } from '@postrider/shared/ports/backlog';
import { ENDPOINT_ID, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createFeeder, rowsToFeed } from '../../src/engine/feeder.js';
import type { Job } from '../../src/engine/job.js';
import { createJobBudget } from '../../src/engine/job-budget.js';
import { createParkingLot, feedClassOf } from '../../src/engine/parking.js';
import { createDelayHeap } from '../../src/engine/scheduler/delay-heap.js';
import { createEndpointScheduler } from '../../src/engine/scheduler/endpoint-scheduler.js';
import { poolLimits } from '../../src/engine/scheduler/pool-limits.js';
import { createWorkload } from '../../src/engine/workload.js';
import { aClock, aLog, deferred, messages, settleDown } from './builders.js';

type Query = Parameters<Backlog['due']>;

const JOBS = 400;
const owner = (endpointId: string) => ({ endpointId, workspaceId: WORKSPACE_ID });

/** A feeder over the real workload, with the rows of `stored` as the backlog. */
function aFeeder() {
  const clock = aClock();
  const log = aLog();
  const queries: Query[] = [];
  const laters: { task: () => void; ms: number }[] = [];
  const foreign = new Set<string>();
  const stored: DueRow[] = [];
  const world = { fed: 0, gate: Promise.resolve() };
  const backlog: Backlog = {
    async due(...query) {
      queries.push(query);
      const [endpointId, , limit] = query;
      const rows = stored.filter((row) => row.endpointId === endpointId).slice(0, limit);
      await world.gate;
      return rows;
    },
    async *overdueEndpoints() {},
  };
  const now = () => clock.now().getTime();
  const limits = poolLimits({ perEndpoint: 4, prompt: 100, lingering: 100 });
  const scheduler = createEndpointScheduler<Job>(limits, now);
  const budget = createJobBudget(JOBS);
  const parking = createParkingLot((endpointId) => feedClassOf(scheduler.standing(endpointId)));
  const work = createWorkload({
    scheduler,
    heap: createDelayHeap(),
    parking,
    budget,
    now,
    onDone: () => {},
  });
  const feeder = createFeeder({
    workload: work,
    scheduler,
    parking,
    backlog,
    clock,
    monotonicMs: now,
    budget,
    isAssigned: (endpointId) => !foreign.has(endpointId),
    onFed: () => {
      world.fed += 1;
    },
    later: (task, ms) => laters.push({ task, ms }),
    log,
  });
  return Object.assign(world, {
    feeder,
    work,
    parking,
    scheduler,
    budget,
    clock,
    log,
    queries,
    laters,
    foreign,
    stored,
  });
}

function rows(count: number, endpointId: string = ENDPOINT_ID): DueRow[] {
  return messages(count, { endpointId }).map(({ ordinal, ...ids }) => ({ ...ids, attempts: ordinal - 1 }));
}

/** Proves that the endpoint answers, by a POST of another delivery. */
function prove({ work }: ReturnType<typeof aFeeder>, endpointId: string = ENDPOINT_ID): void {
  const [row] = rows(1, endpointId);
  work.addFromRow({ ...row!, attempts: 6 });
  const job = work.next()!;
  work.release(job, { durationMs: 1, timedOut: false });
  work.finish(job);
}

/** Starts a job of the endpoint with rows and ends its POST, so that it remains to be settled. */
function postOne({ work }: ReturnType<typeof aFeeder>): Job {
  const job = work.next()!;
  work.release(job, { durationMs: 1, timedOut: false });
  return job;
}

describe('rowsToFeed', () => {
  it('returns few rows if many endpoints are parked, and many if few are', () => {
    expect(rowsToFeed('proven', { free: 50_000, ready: 0 })).to.equal(256);
    expect(rowsToFeed('proven', { free: 50_000, ready: 499 })).to.equal(50);
    expect(rowsToFeed('slow', { free: 50_000, ready: 20_000 })).to.equal(16);
  });

  it('returns no more rows than an endpoint on probation can use soon', () => {
    expect(rowsToFeed('new', { free: 50_000, ready: 0 })).to.equal(2);
    expect(rowsToFeed('suspect', { free: 50_000, ready: 0 })).to.equal(2);
    expect(rowsToFeed('silent', { free: 50_000, ready: 0 })).to.equal(1);
  });
});

describe('feeder', () => {
  it('queues the due rows of a parked endpoint', async () => {
    const world = aFeeder();
    prove(world);
    world.stored.push(...rows(20), ...rows(5, 'other'));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.queries).to.deep.equal([[ENDPOINT_ID, NOON, JOBS / 2]]);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(20);
    expect(world.fed).to.equal(1);
  });

  it('queries an endpoint of which nothing is known for two rows until it answers', async () => {
    const world = aFeeder();
    world.stored.push(...rows(20));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
    for (let posts = 0; posts < 2; posts += 1) world.work.finish(postOne(world));
    world.stored.splice(0, 2);
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(18);
  });

  it('feeds endpoints that answer before those of which nothing is known', async () => {
    const world = aFeeder();
    prove(world, 'proven');
    const gate = deferred();
    world.gate = gate.promise;
    for (let index = 0; index < 10; index += 1) world.parking.park(owner(`e${index}`));
    world.parking.park(owner('proven'));
    world.feeder.feed();
    expect(world.queries[0]?.[0]).to.equal('proven');
    gate.resolve();
    await settleDown();
  });

  it('gives endpoints of which nothing is known no more than half of the memory', async () => {
    const world = aFeeder();
    for (let index = 0; index < 300; index += 1) {
      world.stored.push(...rows(5, `e${index}`));
      world.parking.park(owner(`e${index}`));
    }
    for (let times = 0; times < 100; times += 1) {
      world.feeder.feed();
      await settleDown(2);
    }
    expect(world.work.size()).to.be.within(JOBS / 2, JOBS / 2 + 16);
    expect(world.parking.size()).to.equal(300);
  });

  it('feeds nothing while the memory is used up, and keeps the endpoint parked', async () => {
    const world = aFeeder();
    for (const row of rows(JOBS, 'busy')) world.work.addFromRow(row);
    world.stored.push(...rows(5));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.queries).to.deep.equal([]);
    for (let ended = 0; ended < 250; ended += 1) world.work.finish(postOne(world));
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
  });

  it('runs no query while no endpoint is parked', () => {
    const world = aFeeder();
    world.feeder.feed();
    expect(world.queries).to.deep.equal([]);
  });

  it('queries again once a quarter of the rows is left', async () => {
    const world = aFeeder();
    prove(world);
    world.stored.push(...rows(300));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(200);
    for (let posts = 0; posts < 150; posts += 1) world.work.finish(postOne(world));
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    world.work.finish(postOne(world));
    world.feeder.feed();
    expect(world.queries).to.have.length(2);
  });

  it('runs one query per endpoint at a time, and eight in total', async () => {
    const world = aFeeder();
    const gate = deferred();
    world.gate = gate.promise;
    for (let index = 0; index < 10; index += 1) world.parking.park(owner(`e${index}`));
    world.feeder.feed();
    world.feeder.feed();
    expect(world.queries.map(([endpointId]) => endpointId)).to.deep.equal(
      Array.from({ length: 8 }, (_, index) => `e${index}`),
    );
    gate.resolve();
    await settleDown();
    expect(world.queries.map(([endpointId]) => endpointId)).to.include.members(['e8', 'e9']);
  });

  it('queries enough rows to find new ones beyond existing jobs', async () => {
    const world = aFeeder();
    prove(world);
    world.stored.push(...rows(300));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    for (let posts = 0; posts < 151; posts += 1) postOne(world);
    world.feeder.feed();
    await settleDown();
    expect(world.queries.at(-1)?.[2]).to.equal(300);
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(true);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(149);
  });

  it('unparks an endpoint whose rows all have a job and rechecks it five seconds later', async () => {
    const world = aFeeder();
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(false);
    expect(world.laters.map(({ ms }) => ms)).to.deep.equal([5_000]);
  });

  it('parks an endpoint again if the recheck finds more rows than it adds', async () => {
    const world = aFeeder();
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    world.stored.push(...rows(3));
    world.laters[0]!.task();
    await settleDown();
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(true);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
  });

  it('does not recheck an endpoint that is parked again or unassigned', async () => {
    const world = aFeeder();
    for (const endpointId of ['again', 'lost']) world.parking.park(owner(endpointId));
    world.feeder.feed();
    await settleDown();
    world.parking.park(owner('again'));
    world.foreign.add('lost');
    const before = world.queries.length;
    for (const { task } of world.laters) task();
    expect(world.queries).to.have.length(before);
  });

  it('queries again a second later if a message was skipped during the query', async () => {
    const world = aFeeder();
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    world.parking.messageSkipped(ENDPOINT_ID);
    await settleDown();
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(true);
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    world.clock.advance(1_000);
    world.feeder.feed();
    expect(world.queries).to.have.length(2);
  });

  it('logs a failed query and repeats it a second later', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    world.gate = Promise.reject(new Error('no primary'));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.log.lines).to.deep.equal(['warn feed.failed']);
    world.gate = Promise.resolve();
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    world.clock.advance(1_000);
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
  });

  it('logs once a minute that the database is unavailable, however many endpoints are parked', async () => {
    const world = aFeeder();
    world.gate = Promise.reject(new Error('no primary'));
    for (let index = 0; index < 20; index += 1) world.parking.park(owner(`endpoint ${index}`));
    for (let second = 0; second < 61; second += 1) {
      world.feeder.feed();
      await settleDown();
      world.clock.advance(1_000);
    }
    expect(world.queries).to.have.length.above(20 * 60);
    expect(world.log.lines).to.deep.equal(['warn feed.failed', 'warn feed.failed']);
  });

  it('begins no query after a stop, and neither adds nor logs what queries in progress return', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    const gate = deferred();
    world.gate = gate.promise;
    for (let index = 0; index < 20; index += 1) world.parking.park(owner(`endpoint ${index}`));
    world.feeder.feed();
    const begun = world.queries.length;
    world.feeder.stop();
    gate.reject(new Error('the client was closed'));
    await settleDown();
    world.feeder.feed();
    expect(world.queries).to.have.length(begun);
    expect(world.log.lines).to.deep.equal([]);
    expect(world.work.size()).to.equal(0);
  });

  it('adds no rows of an endpoint that was unassigned during the query', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    world.foreign.add(ENDPOINT_ID);
    await settleDown();
    expect(world.work.size()).to.equal(0);
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(false);
  });

  it('queries endpoints of which nothing is known before silent ones, and these before all others are fed', async () => {
    const world = aFeeder();
    const { parking, work, feeder, queries } = world;
    const silent = Array.from({ length: 40 }, (_, index) => `silent-${index}`);
    for (const endpointId of silent) {
      work.addFromRow(rows(1, endpointId)[0]!);
      const job = work.next()!;
      work.release(job, { durationMs: 10_000, timedOut: true });
      work.finish(job);
      parking.park(owner(endpointId));
    }
    for (let index = 0; index < 20; index += 1) parking.park(owner(`new-${index}`));
    const gate = deferred();
    world.gate = gate.promise;
    feeder.feed();
    const first = queries.map(([endpointId]) => endpointId.split('-')[0]);
    expect(first).to.have.length(8);
    expect(first.filter((name) => name === 'new')).to.have.length(6);
    gate.resolve();
    await settleDown(40);
    const asked = queries.map(([endpointId]) => endpointId);
    expect(asked.indexOf('new-19')).to.be.below(asked.indexOf('silent-12'));
  });
});
