import { ENDPOINT_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { messages, settleDown, sourceAt } from '../builders.js';
import { aFeeder, owner, postOne, prove, rows } from './a-feeder.js';

const QUEUED = 5_000;
const ROWS = rows(QUEUED + 1);

/** An endpoint that answers, with a job of a message for each of its overdue rows but the last, whose message was lost. */
function withLostRow() {
  const world = aFeeder(20_000);
  prove(world);
  for (const [offset, message] of messages(QUEUED, owner(ENDPOINT_ID)).entries())
    world.work.addMessage(message, sourceAt(offset), 0);
  expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(QUEUED);
  world.stored.push(...ROWS);
  return world;
}

/** Ends POSTs until so many jobs are queued. Their rows are no longer due. */
function shorten(world: ReturnType<typeof aFeeder>, queued: number): void {
  const { work, scheduler, stored } = world;
  while (scheduler.queued(ENDPOINT_ID) > queued) {
    work.finish(postOne(world));
    stored.shift();
  }
}

async function reconcile({ reconciler }: ReturnType<typeof aFeeder>): Promise<void> {
  await reconciler.reconcileNext(30_000);
  await settleDown();
}

const limits = ({ queries }: ReturnType<typeof aFeeder>) => queries.map(([, , limit]) => limit);
const hasLostOne = ({ work }: ReturnType<typeof aFeeder>) => work.isQueued(ROWS[QUEUED]!.deliveryId);

describe('long queue of an endpoint', () => {
  it('is not read as a whole, but a lost row is found once it is among the oldest', async () => {
    const world = withLostRow();
    await reconcile(world);
    shorten(world, 512);
    await reconcile(world);
    expect(limits(world)).to.deep.equal([512, 512]);
    expect([hasLostOne(world), world.parking.isParked(ENDPOINT_ID)]).to.deep.equal([false, false]);
    shorten(world, 511);
    await reconcile(world);
    expect(hasLostOne(world)).to.equal(true);
  });

  it('does not hide a lost row although it never becomes short', async () => {
    const world = withLostRow();
    const newer = rows(2 * QUEUED).slice(QUEUED + 1);
    world.stored.push(...newer);
    for (const [offset, { attempts, ...ids }] of newer.entries())
      world.work.addMessage({ ...ids, ordinal: attempts + 1 }, sourceAt(QUEUED + offset), 0);
    shorten(world, QUEUED);
    await reconcile(world);
    expect(hasLostOne(world)).to.equal(true);
    expect(Math.max(...limits(world))).to.equal(512);
  });

  it('is not read as a whole when its endpoint is rechecked', async () => {
    const world = withLostRow();
    world.parking.parkOverdue(owner(ENDPOINT_ID));
    world.feeder.feed();
    await settleDown();
    world.laters[0]!.task();
    await settleDown();
    expect(limits(world)).to.deep.equal([512, 258]);
    expect(world.parking.isParked(ENDPOINT_ID)).to.equal(false);
    expect(world.laters).to.have.length(1);
  });

  it('is read once when its endpoint is parked for having many jobs, and again when a quarter of a query is left', async () => {
    const world = withLostRow();
    world.parking.park(owner(ENDPOINT_ID));
    for (let second = 0; second < 3; second += 1) {
      world.feeder.feed();
      await settleDown();
      world.clock.advance(1_000);
    }
    expect([limits(world), world.parking.isBehind(ENDPOINT_ID)]).to.deep.equal([[512], true]);
    shorten(world, 64);
    world.feeder.feed();
    expect(world.queries).to.have.length(1);
    shorten(world, 63);
    world.feeder.feed();
    await settleDown();
    expect(limits(world)).to.deep.equal([512, 256 + 63]);
    expect([hasLostOne(world), world.parking.isParked(ENDPOINT_ID)]).to.deep.equal([true, false]);
  });

  it('leaves its endpoint behind if more rows were lost than a query adds', async () => {
    const world = withLostRow();
    world.stored.unshift(...rows(QUEUED + 601).slice(QUEUED + 1));
    await reconcile(world);
    expect(world.parking.isBehind(ENDPOINT_ID)).to.equal(true);
    expect(world.scheduler.queued(ENDPOINT_ID)).to.equal(QUEUED + 256);
  });
});
