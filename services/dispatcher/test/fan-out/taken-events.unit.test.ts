import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createTakenEvents } from '../../src/fan-out/taken-events.js';
import type { TrackedSource } from '../../src/offsets/open-offsets.js';

/** `released` lists the offsets of events whose room was given back, `done` those that are done. */
function takenEvents() {
  const world = { time: 0, rooms: 0 };
  const released: number[] = [];
  const done: number[] = [];
  const events = createTakenEvents({
    offsets: { done: ({ offset }: TrackedSource) => void done.push(offset) },
    backlogs: { release: ({ offset }) => void released.push(offset) },
    onRoom: () => {
      world.rooms += 1;
    },
    monotonicMs: () => world.time,
  });
  const take = (offset: number) => {
    const place = { partition: 0, offset };
    const event = { ...place, key: 'a', bytes: 1, valueBytes: 1, isRepeated: false };
    return events.take({ ...place, topic: EVENTS_TOPIC, epoch: 0 }, event);
  };
  return Object.assign(world, { events, take, released, done });
}

describe('taken events', () => {
  it('give back their room once, also if they have none left when they end or are dropped', () => {
    const world = takenEvents();
    const { events, take, released, done } = world;
    const [finished, left, dropped] = [take(1), take(2), take(3)];
    for (const taken of [finished, finished, left, dropped]) events.free(taken);
    events.finish(finished);
    events.leaveOpen(left);
    events.drop(0);
    expect(released).to.deep.equal([1, 2, 3]);
    expect(world.rooms).to.equal(3);
    expect(done).to.deep.equal([1]);
  });

  it('are done once, and not at all after they were left open or dropped', () => {
    const { events, take, released, done } = takenEvents();
    const [finished, left, dropped] = [take(1), take(2), take(3)];
    events.finish(finished);
    events.leaveOpen(left);
    events.drop(0);
    for (const taken of [finished, left, dropped]) events.finish(taken);
    expect(done).to.deep.equal([1]);
    expect(released).to.deep.equal([1, 2, 3]);
  });

  it('give back their room, but are not done, if their partition has restarted', () => {
    const { events, take, released, done } = takenEvents();
    const taken = take(1);
    events.detach(0);
    expect(taken.isOpen).to.equal(true);
    events.finish(taken);
    expect(released).to.deep.equal([1]);
    expect(done).to.deep.equal([]);
  });

  it('show how long the oldest of them has been the oldest, except those of partitions that restarted or were dropped', () => {
    const world = takenEvents();
    const { events, take } = world;
    expect(events.oldestMs()).to.equal(0);
    for (const end of [events.detach, events.drop]) {
      take(1);
      world.time += 1_000;
      expect(events.oldestMs()).to.equal(1_000);
      end(0);
      expect(events.oldestMs()).to.equal(0);
    }
  });
});
