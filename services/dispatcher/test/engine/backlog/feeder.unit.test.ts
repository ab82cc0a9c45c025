import { ENDPOINT_ID, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { rowsToFeed } from '../../../src/engine/backlog/feeder.js';
import { deferred, messages, settleDown, sourceAt } from '../builders.js';
import { addOfOthers, aFeeder, JOBS, owner, postOne, prove, rows } from './a-feeder.js';

describe('rowsToFeed', () => {
  it('returns few rows if many endpoints are parked, and many if few are', () => {
    expect(rowsToFeed('proven', { free: 50_000, ready: 0 })).to.equal(256);
    expect(rowsToFeed('proven', { free: 50_000, ready: 498 })).to.equal(50);
    expect(rowsToFeed('proven', { free: 50_000, ready: 20_000 })).to.equal(16);
  });

  it('returns few rows for an endpoint that takes seconds, however few are parked', () => {
    expect(rowsToFeed('slow', { free: 50_000, ready: 0 })).to.equal(16);
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

  // Regression: a dead letter that was postponed for an hour kept its endpoint from being fed for as long.
  it('queues no more rows because an attempt that began before is no longer due', async () => {
    const world = aFeeder();
    world.work.addFromRow({ ...rows(1)[0]!, attempts: 6 });
    world.work.next();
    world.stored.push(...rows(3));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    expect(world.queries[0]?.[2]).to.equal(3);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
  });

  it('feeds an endpoint whose job is set aside', async () => {
    const world = aFeeder();
    world.stored.push(...rows(10));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    const first = postOne(world);
    world.work.setAside(first, 3_600_000);
    for (let posts = 0; posts < 9; posts += 1) {
      expect(world.scheduler.queued(ENDPOINT_ID), `before POST ${posts}`).to.be.above(0);
      world.work.finish(postOne(world));
      world.stored.splice(1, 1);
      world.clock.advance(1_001);
      world.feeder.feed();
      await settleDown();
    }
    expect(world.work.size()).to.equal(1);
  });

  it('feeds nothing while the memory is used up, and keeps the endpoint parked', async () => {
    const world = aFeeder();
    addOfOthers(world, JOBS);
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

  it('queries again if the memory was used up during the query, once there is room', async () => {
    const world = aFeeder();
    const gate = deferred();
    world.gate = gate.promise;
    world.stored.push(...rows(3));
    world.parking.park(owner(ENDPOINT_ID));
    world.feeder.feed();
    addOfOthers(world, JOBS);
    gate.resolve();
    await settleDown();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(0);
    world.work.keepOnly((endpointId) => endpointId === ENDPOINT_ID);
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

  it('queries no more rows while those that it has fed are postponed', async () => {
    const world = aFeeder();
    const { work, parking, feeder, queries, clock } = world;
    prove(world);
    world.stored.push(...rows(300));
    parking.park(owner(ENDPOINT_ID));
    feeder.feed();
    await settleDown();
    for (let job = work.next(); job !== null; job = work.next()) {
      work.release(job, null);
      work.postpone(job, 1_000);
    }
    feeder.feed();
    await settleDown();
    expect(queries).to.have.length(1);
    expect(work.size()).to.equal(200);
    clock.advance(1_000);
    work.wake();
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(200);
  });

  it('queries further rows while those that it has fed have become due later', async () => {
    const { work, parking, feeder, queries, clock, stored, scheduler } = aFeeder();
    stored.push(...rows(6));
    parking.park(owner(ENDPOINT_ID));
    feeder.feed();
    await settleDown();
    for (let job = work.next(); job !== null; job = work.next()) {
      work.release(job, null);
      work.wait(job, clock.now().getTime() + 15_000);
      stored.shift();
    }
    feeder.feed();
    await settleDown();
    expect(queries).to.have.length(2);
    expect([stored.length, scheduler.queued(ENDPOINT_ID)]).to.deep.equal([4, 2]);
    clock.advance(15_000);
    work.wake();
    expect(work.size()).to.equal(2);
    expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
  });

  it('adds no more rows than it has room for beside retries that are not due', async () => {
    const world = aFeeder();
    const { work, parking, feeder, queries, clock } = world;
    const later = clock.now().getTime() + 60_000;
    for (const [offset, message] of messages(50, { ordinal: 2 }).entries())
      work.addMessage(message, sourceAt(offset), later);
    world.stored.push(...rows(20));
    parking.park(owner(ENDPOINT_ID));
    feeder.feed();
    await settleDown();
    expect(queries[0]?.[2]).to.equal(2);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(2);
  });

  it('waits a second before it queries again when all due rows have jobs that were put off', async () => {
    const { work, parking, feeder, queries, clock, stored } = aFeeder();
    for (const [offset, message] of messages(4, owner(ENDPOINT_ID)).entries())
      work.addMessage(message, sourceAt(offset), 0);
    stored.push(...rows(4));
    for (let job = work.next(); job !== null; job = work.next()) {
      work.release(job, null);
      work.postpone(job, 3_000);
    }
    parking.park(owner(ENDPOINT_ID));
    feeder.feed();
    await settleDown();
    expect(queries).to.have.length(1);
    clock.advance(1_000);
    feeder.feed();
    await settleDown();
    expect(queries).to.have.length(2);
  });
});
