import { ENDPOINT_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { deferred, settleDown } from '../builders.js';
import { aFeeder, owner, rows } from './a-feeder.js';

describe('feeder that fails or stops', () => {
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
});
