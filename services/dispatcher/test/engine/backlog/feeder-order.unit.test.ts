import { ENDPOINT_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { UNKNOWN_WORKSPACE } from '../../../src/engine/jobs/parking.js';
import { deferred, settleDown } from '../builders.js';
import { addOfOthers, aFeeder, fallSilent, JOBS, owner, postOne, prove, rows } from './a-feeder.js';

describe('order in which parked endpoints are fed', () => {
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

  it('feeds an endpoint in the turns of the workspace of its rows if that was not known before', async () => {
    const world = aFeeder();
    world.stored.push(...rows(3));
    world.parking.park(owner(ENDPOINT_ID, UNKNOWN_WORKSPACE));
    world.feeder.feed();
    await settleDown();
    for (let job = 0; job < 2; job += 1) postOne(world);
    expect(world.parking.next('proven', () => true)).to.deep.equal(owner(ENDPOINT_ID));
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
    expect(world.work.size()).to.be.within(JOBS / 2, JOBS / 2 + 32);
    expect(world.parking.size()).to.equal(300);
  });

  it('feeds new endpoints that answer at once, next to many slow ones of other workspaces', async () => {
    const world = aFeeder(4 * JOBS);
    const park = (workspaceId: string, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const endpointId = `${workspaceId}-${index}`;
        world.stored.push(...rows(2, endpointId, workspaceId));
        world.parking.park(owner(endpointId, workspaceId));
      }
    };
    for (let index = 0; index < 4; index += 1) park(`slow${index}`, 240);
    park('quick', 160);
    const feed = async () => {
      world.feeder.feed();
      await settleDown(400);
    };
    const quickOnes = () =>
      new Set(world.queries.map(([endpointId]) => endpointId).filter((id) => id.startsWith('quick'))).size;
    await feed();
    expect(world.budget.hasRoomForUnproven()).to.equal(false);
    expect(quickOnes(), 'workspaces take turns').to.be.within(68, 92);
    for (let job = world.work.next(); job !== null; job = world.work.next()) {
      if (job.message.workspaceId !== 'quick') continue;
      world.work.release(job, { durationMs: 1, timedOut: false });
      world.work.finish(job);
    }
    await feed();
    expect(quickOnes(), 'what they free is theirs, as they use least').to.be.at.least(144);
  });

  it('runs one query per endpoint at a time, and sixteen in total', async () => {
    const world = aFeeder();
    const gate = deferred();
    world.gate = gate.promise;
    for (let index = 0; index < 20; index += 1) world.parking.park(owner(`e${index}`));
    world.feeder.feed();
    world.feeder.feed();
    expect(world.queries.map(([endpointId]) => endpointId)).to.deep.equal(
      Array.from({ length: 16 }, (_, index) => `e${index}`),
    );
    gate.resolve();
    await settleDown();
    expect(world.queries.map(([endpointId]) => endpointId)).to.include.members(['e16', 'e19']);
  });

  it('queries endpoints of which nothing is known before silent ones, and these before all others are fed', async () => {
    const world = aFeeder();
    const { parking, feeder, queries } = world;
    const silent = Array.from({ length: 40 }, (_, index) => `silent-${index}`);
    for (const endpointId of silent) {
      fallSilent(world, endpointId);
      parking.park(owner(endpointId));
    }
    for (let index = 0; index < 20; index += 1) parking.park(owner(`new-${index}`));
    const gate = deferred();
    world.gate = gate.promise;
    feeder.feed();
    const first = queries.map(([endpointId]) => endpointId.split('-')[0]);
    expect(first).to.have.length(16);
    expect(first.filter((name) => name === 'new')).to.have.length(12);
    gate.resolve();
    await settleDown(40);
    const asked = queries.map(([endpointId]) => endpointId);
    expect(asked.indexOf('new-19')).to.be.below(asked.indexOf('silent-12'));
  });

  it('shares the queries while endpoints of all classes wait: eight for those that answer, six for new ones, two for silent ones', () => {
    const world = aFeeder();
    world.gate = deferred().promise;
    for (let index = 0; index < 20; index += 1) {
      prove(world, `proven-${index}`);
      fallSilent(world, `silent-${index}`);
      for (const name of ['proven', 'new', 'silent']) world.parking.park(owner(`${name}-${index}`));
    }
    world.feeder.feed();
    const classes = Object.groupBy(world.queries, ([endpointId]) => endpointId.split('-')[0]!);
    expect(Object.entries(classes).map(([name, queries]) => [name, queries?.length])).to.have.deep.members([
      ['proven', 8],
      ['new', 6],
      ['silent', 2],
    ]);
  });

  it('feeds endpoints that answer although those of which nothing is known have used up their half of the memory', () => {
    const world = aFeeder();
    prove(world);
    for (const row of rows(JOBS / 2, 'new')) world.work.addFromRow(row);
    for (const endpointId of ['new', ENDPOINT_ID]) world.parking.park(owner(endpointId));
    world.feeder.feed();
    expect(world.queries.map(([endpointId]) => endpointId)).to.deep.equal([ENDPOINT_ID]);
  });

  it('begins no query while the share of the workspace has room for fewer than sixteen jobs', () => {
    const world = aFeeder();
    prove(world);
    world.parking.park(owner(ENDPOINT_ID));
    addOfOthers(world, JOBS - 20);
    world.feeder.feed();
    expect(world.queries).to.deep.equal([]);
    world.work.finish(world.work.next()!);
    world.feeder.feed();
    expect(world.queries.map(([, , limit]) => limit)).to.deep.equal([16]);
  });
});
