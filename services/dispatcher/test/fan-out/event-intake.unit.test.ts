import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createEventIntake, type EventRecord } from '../../src/fan-out/event-intake.js';
import type { NewEvent } from '../../src/fan-out/fan-out.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import { aLog, settleDown } from '../engine/builders.js';
import { aReadEvent } from './events.js';

const recordAt = (offset: number, partition = 0, bytes = 1): EventRecord => ({
  topic: EVENTS_TOPIC,
  partition,
  offset,
  value: Buffer.alloc(bytes),
});

/** An intake that owns partitions 0 and 1, with at most 10 events and 1,000 bytes each. */
function anIntake() {
  const added: NewEvent[] = [];
  const quarantined: string[] = [];
  const log = aLog();
  const world = {
    read: async (record: EventRecord): Promise<ReadEvent | { problem: string }> =>
      aReadEvent({ name: `${record.partition}/${record.offset}` }),
  };
  const intake = createEventIntake<EventRecord>({
    read: (record) => world.read(record),
    quarantine: async ({ offset }, reason) => void quarantined.push(`${offset} ${reason}`),
    fanOut: { add: (event) => void added.push(event) as never, removeUnwanted: () => {} },
    limits: { openEvents: 20, openBytes: 2_000 },
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log,
  });
  intake.assign([0, 1]);
  const accept = async (...records: readonly EventRecord[]) => {
    for (const record of records) intake.accept(record);
    await settleDown();
  };
  return Object.assign(world, { intake, accept, added, quarantined, log });
}
const at = (offset: number, partition = 0) => ({ topic: EVENTS_TOPIC, partition, offset });
const many = (count: number, partition = 0, bytes = 1) =>
  Array.from({ length: count }, (_, offset) => recordAt(offset, partition, bytes));

describe('event intake', () => {
  it('passes events on without waiting for their fan-out, and commits up to the oldest open one', async () => {
    const { intake, accept, added } = anIntake();
    await accept(...many(3));
    expect(added).to.have.length(3);
    added[1]!.done();
    expect(intake.positions()).to.deep.equal([at(0)]);
    added[0]!.done();
    expect(intake.positions()).to.deep.equal([at(2)]);
    intake.committed([at(2)]);
    expect(intake.positions()).to.deep.equal([]);
    expect(intake.figures()).to.include({ open: 1 });
  });

  it('ignores events of other partitions and those that it holds already', async () => {
    const { intake, accept, added } = anIntake();
    await accept(recordAt(0, 2), recordAt(0), recordAt(0));
    intake.assign([0, 1]);
    await accept(recordAt(0));
    expect(added).to.have.length(1);
  });

  it('quarantines an unreadable event and goes on', async () => {
    const world = anIntake();
    world.read = async ({ offset }) => (offset === 0 ? { problem: 'broken' } : aReadEvent());
    await world.accept(recordAt(0), recordAt(1));
    expect(world.quarantined).to.deep.equal(['0 broken']);
    expect(world.added).to.have.length(1);
    expect(world.intake.positions()).to.deep.equal([at(1)]);
  });

  it('reads an event again until the registry is back, in order and without stopping other partitions', async () => {
    const world = anIntake();
    let isAway = true;
    world.read = async ({ partition, offset }) => {
      if (partition === 0 && offset === 0 && isAway) throw new Error('no registry');
      return aReadEvent({ name: `${partition}/${offset}` });
    };
    await world.accept(recordAt(0), recordAt(1), recordAt(0, 1));
    expect(world.added).to.have.length(1);
    isAway = false;
    await settleDown();
    const ids = [world.added[1], world.added[2]].map((one) => one?.event.payload.eventId);
    expect(ids).to.deep.equal(['0/0', '0/1'].map((name) => aReadEvent({ name }).payload.eventId));
    expect(world.log.lines).to.include('warn event.failed');
  });

  it('drops the events of a partition that another process has now', async () => {
    const { intake, accept, added } = anIntake();
    await accept(recordAt(0), recordAt(0, 1));
    intake.assign([1]);
    expect(added.map(({ isWanted }) => isWanted())).to.deep.equal([false, true]);
    added[0]!.done();
    expect(intake.positions()).to.deep.equal([at(0, 1)]);
    intake.assign([0, 1]);
    await accept(recordAt(0));
    expect(added, 'read again after its return').to.have.length(3);
    added[0]!.done();
    expect(intake.positions(), 'what was dropped does not end the new one').to.deep.include(at(0));
  });

  it('reads no more events after a stop', async () => {
    const { intake, accept, added } = anIntake();
    intake.stop();
    await accept(recordAt(0));
    expect(added).to.deep.equal([]);
  });

  describe('pausing', () => {
    it('pauses a partition above its share of the open events and resumes it at half of it', async () => {
      const { intake, accept, added } = anIntake();
      await accept(...many(10));
      expect(intake.paused()).to.deep.equal([]);
      await accept(recordAt(10), recordAt(0, 1));
      expect(intake.paused()).to.deep.equal([{ topic: EVENTS_TOPIC, partition: 0 }]);
      for (const { done } of added.slice(0, 5)) done();
      expect(intake.paused()).to.have.length(1);
      added[5]!.done();
      expect(intake.paused()).to.deep.equal([]);
    });

    it('pauses a partition above its share of the bytes', async () => {
      const { intake, accept } = anIntake();
      await accept(...many(2, 1, 501));
      expect(intake.paused()).to.deep.equal([{ topic: EVENTS_TOPIC, partition: 1 }]);
      expect(intake.figures()).to.deep.equal({ open: 2, pausedPartitions: 1 });
    });
  });
});
