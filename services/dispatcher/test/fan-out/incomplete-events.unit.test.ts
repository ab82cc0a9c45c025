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
    expect(events.next((partition) => partition !== 0)).to.equal(null);
    expect(events.next(any)).to.deep.equal(at(6));
    expect(events.take(at(6))).to.equal(true);
    expect(events.remove(at(7)), 'it expired').to.equal(true);
    expect([events.isAnyReady(), events.take(at(6))]).to.deep.equal([false, false]);
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
    expect([events.runs(0), events.runs(1)]).to.deep.equal([1, 1]);
    expect(events.remove(at(5, { partition: 1 }))).to.equal(true);
    expect([events.runs(0), events.runs(1)]).to.deep.equal([1, 0]);
    expect(events.remove(at(5, { partition: 1 }))).to.equal(false);
  });

  it('are counted by runs, and forgotten with their partition alone', () => {
    const world = someEvents();
    const { events } = world;
    for (const offset of [1, 2, 4]) events.add(at(offset), DAMAGED);
    events.add(at(6), OTHER);
    world.now = 10;
    events.add(at(1, { partition: 1 }), DAMAGED);
    expect([events.runs(0), events.runs(1), events.runs(2)]).to.deep.equal([3, 1, 0]);
    expect([events.remove(at(6)), events.remove(at(3)), events.runs(0)]).to.deep.equal([true, false, 2]);
    world.now = 30;
    expect(events.oldestMs()).to.equal(30);
    events.drop(0);
    expect([events.runs(0), events.runs(1), events.oldestMs()]).to.deep.equal([0, 1, 20]);
    events.remove(at(1, { partition: 1 }));
    expect(events.oldestMs()).to.equal(0);
  });
});
