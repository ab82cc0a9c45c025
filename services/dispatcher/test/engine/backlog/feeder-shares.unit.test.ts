import { expect } from 'chai';
import { settleDown } from '../builders.js';
import { aFeeder, answerSlowly, JOBS, owner, prove, rows } from './a-feeder.js';

const [LARGE, SMALL] = ['large', 'small'];

/** A feeder and so many parked endpoints of one workspace with 100 rows each. */
function withParked(count: number, learn: (world: ReturnType<typeof aFeeder>, endpointId: string) => void) {
  const world = aFeeder();
  const endpoints = Array.from({ length: count }, (_, index) => `e${index}`);
  for (const endpointId of endpoints) {
    learn(world, endpointId);
    world.stored.push(...rows(100, endpointId, LARGE));
    world.parking.park(owner(endpointId, LARGE));
  }
  return Object.assign(world, { endpoints });
}

async function feedUntilIdle(world: ReturnType<typeof aFeeder>): Promise<void> {
  let before = -1;
  while (before < world.queries.length) {
    before = world.queries.length;
    world.feeder.feed();
    await settleDown();
  }
}

/** Ends the POSTs that may start now. Their rows are no longer due. */
function endPosts({ work, stored }: ReturnType<typeof aFeeder>, count: number): void {
  for (let ended = 0; ended < count; ended += 1) {
    const job = work.next();
    if (job === null) return;
    work.release(job, { durationMs: 9_000, timedOut: false });
    work.finish(job);
    stored.splice(
      stored.findIndex(({ deliveryId }) => deliveryId === job.message.deliveryId),
      1,
    );
  }
}

describe('share of a workspace in what is fed', () => {
  for (const [name, count, learn] of [
    ['endpoints that answer at once', 10, prove],
    ['many endpoints that take seconds', 40, answerSlowly],
  ] as const)
    it(`is three quarters of the memory, with ${name}`, async () => {
      const world = withParked(count, learn);
      await feedUntilIdle(world);
      expect(world.budget.free()).to.be.within(JOBS / 4, JOBS / 4 + 16);
      expect(world.budget.admits(owner('b', SMALL), 'new')).to.equal(true);
    });

  it('is not used up by a few endpoints that take seconds', async () => {
    const world = withParked(10, answerSlowly);
    await feedUntilIdle(world);
    expect(world.work.size()).to.equal(10 * 16);
  });

  it('is used up without further queries, until it has room for sixteen jobs again', async () => {
    const world = withParked(40, answerSlowly);
    await feedUntilIdle(world);
    const before = world.queries.length;
    endPosts(world, 15 - world.work.roomToFeed(LARGE));
    for (let times = 0; times < 10; times += 1) await feedUntilIdle(world);
    expect(world.queries).to.have.length(before);
    endPosts(world, 1);
    expect(world.work.roomToFeed(LARGE)).to.equal(16);
    await feedUntilIdle(world);
    expect(world.queries).to.have.length(before + 1);
    expect(world.work.roomToFeed(LARGE)).to.equal(0);
  });

  it('leaves room to feed an endpoint of another workspace meanwhile', async () => {
    const world = withParked(40, answerSlowly);
    await feedUntilIdle(world);
    prove(world, 'b');
    world.stored.push(...rows(20, 'b', SMALL));
    world.parking.park(owner('b', SMALL));
    await feedUntilIdle(world);
    expect(world.scheduler.queued('b')).to.equal(16);
  });

  it('keeps no row waiting for ever, and feeds all endpoints in turn', async () => {
    const world = withParked(40, answerSlowly);
    const fed = new Set<string>();
    let times = 0;
    for (; world.stored.length > 0 && times < 2_000; times += 1) {
      world.feeder.feed();
      await settleDown(2);
      for (const endpointId of world.endpoints)
        if (world.scheduler.queued(endpointId) > 0) fed.add(endpointId);
      if (times === 150) expect(fed.size).to.equal(40);
      expect(world.budget.free()).to.be.at.least(JOBS / 4);
      endPosts(world, 4);
      world.clock.advance(20);
    }
    expect(world.stored).to.deep.equal([]);
    expect(world.queries.length, 'hardly any query is in vain').to.be.below((40 * 100) / 8);
    expect(world.work.size()).to.equal(0);
  });

  it('is not used up by retries that wait', async () => {
    const world = aFeeder();
    prove(world, 'a');
    for (const row of rows(300, 'retried', LARGE)) world.work.addFromRow(row);
    for (let job = world.work.next(); job !== null; job = world.work.next()) {
      world.work.release(job, { durationMs: 1, timedOut: false });
      world.work.wait(job, world.clock.now().getTime() + 3_600_000);
    }
    world.stored.push(...rows(20, 'a', LARGE));
    world.parking.park(owner('a', LARGE));
    await feedUntilIdle(world);
    expect(world.scheduler.queued('a')).to.equal(20);
  });
});
