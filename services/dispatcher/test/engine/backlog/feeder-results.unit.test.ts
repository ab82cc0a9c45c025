import { ENDPOINT_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { UNKNOWN_WORKSPACE } from '../../../src/engine/jobs/parking.js';
import { deferred, settleDown } from '../builders.js';
import { addOfOthers, aFeeder, JOBS, owner, postOne, rows } from './a-feeder.js';

/** Feeds the parked endpoint, and changes the world while its rows are being read. */
async function feedOnce(world: ReturnType<typeof aFeeder>, meanwhile = () => {}) {
  const gate = deferred();
  world.gate = gate.promise;
  world.parking.park(owner(ENDPOINT_ID));
  world.feeder.feed();
  meanwhile();
  gate.resolve();
  await settleDown();
}

describe('rows that the feeder has read', () => {
  it('are added up to the number that was requested, although more of them have no job', async () => {
    const world = aFeeder();
    for (const row of rows(2)) world.work.addFromRow({ ...row, attempts: 3 });
    world.stored.push(...rows(3));
    await feedOnce(world);
    expect(world.queries[0]?.[2], 'beside the jobs, whose rows are no longer due').to.equal(4);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(4);
    expect(world.parking.isBehind(ENDPOINT_ID)).to.equal(true);
  });

  it('stay with a parked endpoint, which is ready for its next query, if there is no room for their jobs', async () => {
    const world = aFeeder();
    world.stored.push(...rows(1));
    await feedOnce(world, () => addOfOthers(world, JOBS));
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(0);
    expect(world.parking.isBehind(ENDPOINT_ID)).to.equal(true);
    expect(world.parking.ready()).to.equal(1);
    expect(world.fed).to.equal(0);
  });

  it('are not added after a stop, and their endpoint is not checked once more', async () => {
    const world = aFeeder();
    await feedOnce(world);
    world.stored.push(...rows(1));
    await feedOnce(world, world.feeder.stop);
    for (const { task } of world.laters) task();
    await settleDown();
    expect(world.work.size()).to.equal(0);
    expect(world.queries).to.have.length(2);
  });

  it('show the workspace of an endpoint that was parked without it', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    world.parking.park(owner(ENDPOINT_ID, UNKNOWN_WORKSPACE));
    world.feeder.feed();
    await settleDown();
    for (let posts = 0; posts < 2; posts += 1) postOne(world);
    expect(world.parking.next('proven', () => true)).to.deep.equal(owner(ENDPOINT_ID, WORKSPACE_ID));
  });

  it('are reported once they are queued, even a single one', async () => {
    const world = aFeeder();
    world.stored.push(...rows(1));
    await feedOnce(world);
    expect(world.fed).to.equal(1);
  });
});
