import { ENDPOINT_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { settleDown } from '../builders.js';
import { aFeeder, owner, rows } from './a-feeder.js';

describe('end of the feeding of a parked endpoint', () => {
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
    expect(world.parking.next('new', () => true)).to.deep.equal(owner(ENDPOINT_ID));
  });

  for (const [name, gate, isParked] of [
    ['parks an endpoint again if the recheck fails', () => Promise.reject(new Error('no primary')), true],
    ['does not park an endpoint again if the recheck finds nothing', () => Promise.resolve(), false],
  ] as const)
    it(name, async () => {
      const world = aFeeder();
      world.parking.park(owner(ENDPOINT_ID));
      world.feeder.feed();
      await settleDown();
      world.gate = gate();
      world.laters[0]!.task();
      await settleDown();
      expect(world.parking.isParked(ENDPOINT_ID)).to.equal(isParked);
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
});
