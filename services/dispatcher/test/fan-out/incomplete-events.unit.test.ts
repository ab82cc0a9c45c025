import type { EndpointId } from '@postrider/shared/domain/id';
import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createIncompleteEvents } from '../../src/fan-out/incomplete-events.js';

const [DAMAGED, OTHER] = [idFor('endpoint', 'damaged'), idFor('endpoint', 'other')];

/** Incomplete events whose rests end by calls. */
function someEvents() {
  const rests: { readonly ms: number; readonly end: () => void }[] = [];
  const world = { now: 0, readied: 0 };
  const events = createIncompleteEvents({
    onReady: () => {
      world.readied += 1;
    },
    sleep: (ms) => new Promise((end) => rests.push({ ms, end })),
    monotonicMs: () => world.now,
  });
  const endRests = async () => {
    for (const { end } of rests.splice(0)) end();
    await Promise.resolve();
  };
  return Object.assign(world, { events, rests, endRests });
}

const at = (offset: number, { partition = 0, key = 'ws' } = {}) => ({ partition, key, offset });
const any = () => true;

describe('incomplete events', () => {
  it('wait behind the first one of their partition, key and endpoint, and for no others', async () => {
    const { events, rests, endRests } = someEvents();
    events.add(at(1), DAMAGED);
    events.add(at(2, { key: 'another' }), DAMAGED);
    events.add(at(3), OTHER);
    events.add(at(1, { partition: 1 }), DAMAGED);
    expect(rests).to.have.length(4);
    events.add(at(5), DAMAGED);
    expect(rests).to.have.length(4);
    await endRests();
    expect([events.take(at(5)), events.take(at(2, { partition: 1 }))]).to.deep.equal([false, false]);
    for (const place of [at(1), at(2, { key: 'another' }), at(3), at(1, { partition: 1 })])
      expect(events.take(place), JSON.stringify(place)).to.equal(true);
    expect(events.next(any)).to.equal(null);
  });

  it('are fanned out again once their rest has ended and their partition can be read, one at a time', async () => {
    const world = someEvents();
    const { events, endRests } = world;
    for (const offset of [7, 6]) events.add(at(offset), DAMAGED);
    expect([events.next(any), events.isAnyReady(), events.take(at(7))]).to.deep.equal([null, false, false]);
    await endRests();
    expect(world.readied).to.equal(1);
    expect(events.isAnyReady()).to.equal(true);
    expect(events.next(({ partition }) => partition !== 0)).to.equal(null);
    expect(events.next(any)).to.deep.equal(at(6));
    expect(events.take(at(6))).to.equal(true);
    expect([events.isAnyReady(), events.take(at(6))]).to.deep.equal([false, false]);
  });

  it('are fanned out again together once one of them succeeds, in order, and then rest at the first failure', async () => {
    const { events, rests, endRests } = someEvents();
    for (const offset of [1, 2, 3, 4, 5]) events.add(at(offset), DAMAGED);
    await endRests();
    expect([events.take(at(1)), events.take(at(2)), events.remove(at(1))]).to.deep.equal([true, false, true]);
    expect(events.next(any)).to.deep.equal(at(2));
    expect([3, 2, 3, 4].map((offset) => events.take(at(offset)))).to.deep.equal([false, true, true, true]);
    expect(events.next(any), 'no further read while some are fanned out').to.equal(null);
    for (const offset of [3, 2]) events.add(at(offset), DAMAGED);
    expect(rests.map(({ ms }) => ms)).to.deep.equal([500]);
    expect([events.take(at(2)), events.remove(at(4))]).to.deep.equal([false, true]);
    await endRests();
    expect([events.take(at(2)), events.take(at(3))]).to.deep.equal([true, false]);
    events.add(at(2), DAMAGED);
    expect(
      rests.map(({ ms }) => ms),
      'a success among earlier ones is none since',
    ).to.deep.equal([1_000]);
  });

  it('are not taken for others in their places', async () => {
    const { events, endRests } = someEvents();
    events.add(at(1), DAMAGED);
    await endRests();
    expect([events.take(at(1, { key: 'another' })), events.take(at(1))]).to.deep.equal([false, true]);
  });

  it('are removed while they are fanned out, or as the next ones, and then wait no longer', async () => {
    const { events, endRests } = someEvents();
    for (const offset of [1, 2]) events.add(at(offset), DAMAGED);
    expect(events.remove(at(1)), 'it rests').to.equal(false);
    await endRests();
    expect([events.remove(at(2)), events.remove(at(1))], 'the first expired').to.deep.equal([false, true]);
    expect(events.next(any)).to.deep.equal(at(2));
    events.take(at(2));
    expect([events.remove(at(2)), events.remove(at(2))]).to.deep.equal([true, false]);
    expect([events.isAnyReady(), events.runs(0), events.oldestMs()]).to.deep.equal([false, 0, 0]);
  });

  it('take turns, whatever is added to them', async () => {
    const { events, endRests } = someEvents();
    for (const offset of [1, 2, 3]) events.add(at(offset), idFor('endpoint', `${offset}`));
    await endRests();
    events.add(at(4), idFor('endpoint', '1'));
    const order: number[] = [];
    for (let place = events.next(any); place !== null; place = events.next(any)) {
      order.push(place.offset);
      events.take(place);
      events.remove(place);
    }
    expect(order).to.deep.equal([1, 2, 3, 4]);
  });

  it('leave nothing behind when their partition is dropped while they rest or are fanned out', async () => {
    const world = someEvents();
    const { events, endRests } = world;
    events.add(at(1), DAMAGED);
    await endRests();
    events.take(at(1));
    events.add(at(2), OTHER);
    events.drop(0);
    events.add(at(2), OTHER);
    world.readied = 0;
    await endRests();
    expect(world.readied, 'the rest of the new one alone').to.equal(1);
    expect([events.remove(at(1)), events.runs(0)]).to.deep.equal([false, 1]);
  });

  // Regression: with some 120,000 of them, no metric could be read.
  it('have an age even if there are 200,000 damaged endpoints', () => {
    const world = someEvents();
    for (let offset = 0; offset < 200_000; offset += 1)
      world.events.add(at(2 * offset), `${offset}` as EndpointId);
    world.now = 7;
    expect([world.events.oldestMs(), world.events.runs(0)]).to.deep.equal([7, 200_000]);
  });

  it('rest for longer after each failure in a row, and as at first after a success', async () => {
    const { events, rests, endRests } = someEvents();
    for (const offset of [1, 2]) events.add(at(offset), DAMAGED);
    const restMs: number[] = [];
    for (let failure = 0; failure < 8; failure += 1) {
      restMs.push(rests[0]!.ms);
      await endRests();
      events.take(at(1));
      events.add(at(1), DAMAGED);
    }
    expect(restMs).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    await endRests();
    events.take(at(1));
    events.remove(at(1));
    events.take(at(2));
    events.add(at(2), DAMAGED);
    expect(rests.map(({ ms }) => ms)).to.deep.equal([500]);
  });

  it('stay apart from those at the same offset of another partition', async () => {
    const { events, rests, endRests } = someEvents();
    events.add(at(5), DAMAGED);
    await endRests();
    events.take(at(5));
    events.add(at(5, { partition: 1 }), DAMAGED);
    expect(rests.map(({ ms }) => ms)).to.deep.equal([500]);
    expect([events.runs(0), events.runs(1)]).to.deep.equal([0, 1]);
    await endRests();
    expect(events.remove(at(5, { partition: 1 }))).to.equal(true);
    expect(events.remove(at(5, { partition: 1 }))).to.equal(false);
    expect(events.remove(at(5))).to.equal(true);
    expect([events.runs(0), events.runs(1)]).to.deep.equal([0, 0]);
  });

  it('are counted by runs, and forgotten with their partition alone', async () => {
    const world = someEvents();
    const { events, endRests } = world;
    for (const offset of [1, 2, 4]) events.add(at(offset), DAMAGED);
    events.add(at(6), OTHER);
    await endRests();
    world.now = 10;
    events.add(at(1, { partition: 1 }), DAMAGED);
    expect([events.runs(0), events.runs(1), events.runs(2)]).to.deep.equal([3, 1, 0]);
    expect([events.remove(at(6)), events.remove(at(3)), events.runs(0)]).to.deep.equal([true, false, 2]);
    world.now = 30;
    expect(events.oldestMs()).to.equal(30);
    events.drop(0);
    expect([events.runs(0), events.runs(1), events.oldestMs()]).to.deep.equal([0, 1, 20]);
    await endRests();
    events.remove(at(1, { partition: 1 }));
    expect(events.oldestMs()).to.equal(0);
  });
});
