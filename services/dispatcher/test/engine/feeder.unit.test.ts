import type { Backlog, DueRow } from '@postrider/shared/ports/backlog';
import { ENDPOINT_ID, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createDelayHeap } from '../../src/engine/delay-heap.js';
import { createEndpointScheduler } from '../../src/engine/endpoint-scheduler.js';
import { createFeeder } from '../../src/engine/feeder.js';
import type { Job } from '../../src/engine/job.js';
import { createParkingLot } from '../../src/engine/parking.js';
import { createWorkload } from '../../src/engine/workload.js';
import { aClock, aLog, deferred, messages, settleDown } from './builders.js';

type Query = Parameters<Backlog['due']>;

/** A feeder over the real workload, with the rows of `stored` as the backlog. */
function aFeeder() {
  const clock = aClock();
  const log = aLog();
  const queries: Query[] = [];
  const laters: { task: () => void; ms: number }[] = [];
  const foreign = new Set<string>();
  const stored: DueRow[] = [];
  const asked: Date[] = [];
  const world = { fed: 0, gate: Promise.resolve(), overdue: [] as string[] };
  const backlog: Backlog = {
    async due(...query) {
      queries.push(query);
      const [endpointId, , limit] = query;
      const rows = stored.filter((row) => row.endpointId === endpointId).slice(0, limit);
      await world.gate;
      return rows;
    },
    overdueEndpoints: async (before) => {
      asked.push(before);
      return world.overdue;
    },
  };
  const scheduler = createEndpointScheduler<Job>({ perEndpoint: 4, total: 100, slow: 50, slowFromMs: 1_000 });
  const parking = createParkingLot();
  const now = () => clock.now().getTime();
  const work = createWorkload({
    scheduler,
    heap: createDelayHeap(),
    parking,
    parkAt: 64,
    now,
    onDone: () => {},
  });
  const feeder = createFeeder({
    workload: work,
    scheduler,
    parking,
    backlog,
    clock,
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
    clock,
    log,
    queries,
    laters,
    foreign,
    stored,
    asked,
  });
}

function rows(count: number, endpointId: string = ENDPOINT_ID): DueRow[] {
  return messages(count, { endpointId }).map(({ ordinal, ...ids }) => ({ ...ids, attempts: ordinal - 1 }));
}

/** Starts a job of the endpoint with rows and ends its POST, so that it remains to be settled. */
function postOne({ work }: ReturnType<typeof aFeeder>): Job {
  const job = work.next()!;
  work.release(job, { durationMs: 1, timedOut: false });
  return job;
}

describe('feeder', () => {
  it('queues the due rows of a parked endpoint', async () => {
    const world = aFeeder();
    world.stored.push(...rows(20), ...rows(5, 'other'));
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    expect(world.queries).to.deep.equal([[ENDPOINT_ID, NOON, 50]]);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(20);
    expect(world.fed).to.equal(1);
  });

  it('runs no query while no endpoint is parked', () => {
    const world = aFeeder();
    world.feeder.feed();
    expect(world.queries).to.deep.equal([]);
  });

  it('feeds an endpoint with fewer than sixteen queued jobs', async () => {
    const world = aFeeder();
    world.stored.push(...rows(16));
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    postOne(world);
    world.feeder.feed();
    expect(world.queries).to.have.length(2);
  });

  it('runs one query per endpoint at a time, and eight in total', async () => {
    const world = aFeeder();
    const gate = deferred();
    world.gate = gate.promise;
    for (let index = 0; index < 10; index += 1) world.parking.park(`e${index}`);
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
    world.stored.push(...rows(110));
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    for (let posts = 0; posts < 50; posts += 1) postOne(world);
    world.feeder.feed();
    await settleDown();
    expect(world.queries.at(-1)?.[2]).to.equal(100);
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(true);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(50);
  });

  it('unparks an endpoint without new rows and rechecks it five seconds later', async () => {
    const world = aFeeder();
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(false);
    expect(world.laters.map(({ ms }) => ms)).to.deep.equal([5_000]);
  });

  it('parks an endpoint again if the recheck finds rows', async () => {
    const world = aFeeder();
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    world.stored.push(...rows(3));
    world.laters[0]!.task();
    await settleDown();
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(true);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(3);
  });

  it('does not recheck an endpoint that is parked again or unassigned', async () => {
    const world = aFeeder();
    for (const endpointId of ['again', 'lost']) world.parking.park(endpointId);
    world.feeder.feed();
    await settleDown();
    world.parking.park('again');
    world.foreign.add('lost');
    const before = world.queries.length;
    for (const { task } of world.laters) task();
    expect(world.queries).to.have.length(before);
  });

  it('queries again a second later if a message was skipped during the query', async () => {
    const world = aFeeder();
    world.parking.park(ENDPOINT_ID);
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
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    await settleDown();
    expect(world.log.lines).to.deep.equal(['warn feed.failed']);
    world.gate = Promise.resolve();
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    world.clock.advance(1_000);
    world.feeder.feed();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(3);
  });

  it('adds no rows of an endpoint that was unassigned during the query', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    world.parking.park(ENDPOINT_ID);
    world.feeder.feed();
    world.foreign.add(ENDPOINT_ID);
    await settleDown();
    expect(world.work.size()).to.equal(0);
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(false);
  });
});

describe('reconcile', () => {
  it('parks and feeds assigned endpoints with overdue rows', async () => {
    const world = aFeeder();
    world.stored.push(...rows(2), ...rows(2, 'foreign'));
    world.foreign.add('foreign');
    world.overdue = [ENDPOINT_ID, 'foreign'];
    await world.feeder.reconcile(30_000);
    expect(world.asked).to.deep.equal([new Date(NOON.getTime() - 30_000)]);
    expect(world.queries.map(([endpointId]) => endpointId)).to.deep.equal([ENDPOINT_ID]);
    await settleDown();
    expect(world.work.size()).to.equal(2);
    expect(world.log.lines).to.deep.equal(['info reconciled']);
  });

  it('does not report endpoints that are parked already', async () => {
    const world = aFeeder();
    world.parking.park(ENDPOINT_ID);
    world.overdue = [ENDPOINT_ID];
    await world.feeder.reconcile(30_000);
    expect(world.log.lines).to.deep.equal([]);
  });
});
