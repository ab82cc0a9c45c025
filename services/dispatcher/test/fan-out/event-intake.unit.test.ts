import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { idFor } from '@postrider/shared/testing/builders';
import { collectGarbage } from '@postrider/shared/testing/collect-garbage';
import { expect } from 'chai';
import { createEventIntake, type Read } from '../../src/fan-out/event-intake.js';
import type { EventRecord, StartsLater } from '../../src/fan-out/event-record.js';
import type { NewEvent } from '../../src/fan-out/open-event.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import type { Source } from '../../src/offsets/open-offsets.js';
import { aLog, deferred, settleDown, turnLimitsBy } from '../engine/builders.js';
import { aReadEvent } from './events.js';

const recordAt = (offset: number, partition = 0, { key = 'busy', bytes = 1 } = {}): EventRecord => ({
  topic: EVENTS_TOPIC,
  partition,
  offset,
  key: Buffer.from(key),
  value: Buffer.alloc(bytes),
});

/** An intake that owns partitions 0 and 1, with at most 90 open events and 9,000 bytes: 10 and 1,000 of one workspace. */
function anIntake(
  sleep: (ms: number) => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
  deferredRuns = 200,
) {
  const stored: EventRecord[] = [];
  const added: NewEvent[] = [];
  const quarantined: string[] = [];
  const log = aLog();
  const world = {
    /** Milliseconds. */
    time: 0,
    read: async (record: EventRecord): Promise<Read> =>
      aReadEvent({ name: `${record.partition}/${record.offset}` }),
    quarantine: async ({ offset }: EventRecord, reason: string) =>
      void quarantined.push(`${offset} ${reason}`),
    /** Maximum number of records that are read again at a time. */
    readAtMost: 3,
    readAgain: async (from: Source): Promise<readonly EventRecord[] | StartsLater> =>
      stored
        .filter(({ partition, offset }) => partition === from.partition && offset >= from.offset)
        .slice(0, world.readAtMost),
  };
  const intake = createEventIntake<EventRecord>({
    read: (record) => world.read(record),
    readAgain: (from) => world.readAgain(from),
    quarantine: (record, reason) => world.quarantine(record, reason),
    copy: (record) => ({ ...record }),
    fanOut: { add: (event) => void added.push(event) as never, removeUnwanted: () => {} },
    limits: { openEvents: 90, openBytes: 9_000, deferredRuns },
    turn: turnLimitsBy(() => world.time)(),
    sleep,
    monotonicMs: () => world.time,
    log,
  });
  intake.assign([0, 1]);
  const accept = async (...records: readonly EventRecord[]) => {
    stored.push(...records);
    for (const record of records) intake.accept(record);
    await settleDown();
  };
  return Object.assign(world, { intake, accept, added, stored, quarantined, log });
}
const at = (offset: number, partition = 0) => ({ topic: EVENTS_TOPIC, partition, offset });
const many = (count: number, partition = 0) =>
  Array.from({ length: count }, (_, offset) => recordAt(offset, partition));
const namesOf = (added: readonly NewEvent[]) => added.map(({ event }) => event.payload.eventId);
const idOf = (offset: number, partition = 0) =>
  aReadEvent({ name: `${partition}/${offset}` }).payload.eventId;

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

  it('reads a backlog over several turns of the event loop', async () => {
    const world = anIntake();
    const { read } = world;
    world.read = async (record) => {
      world.time += 4;
      return read(record);
    };
    for (const record of many(10)) world.intake.accept(record);
    const readByTurn: number[] = [];
    for (let before = 0; before < 10; before = world.added.length) {
      await nextTurn();
      readByTurn.push(world.added.length - before);
    }
    expect(readByTurn.every((count) => count <= 3)).to.equal(true, `${readByTurn}`);
  });

  it('ignores events of other partitions and those that it holds already', async () => {
    const { intake, accept, added } = anIntake();
    await accept(recordAt(0, 2), recordAt(0), recordAt(0));
    intake.assign([0, 1]);
    await accept(recordAt(0));
    expect(added).to.have.length(1);
  });

  it('lets the open events of a partition continue that restarted below its committed offset', async () => {
    const { intake, accept, added, log } = anIntake();
    await accept(...many(3));
    added[0]!.done();
    intake.committed(intake.positions());
    intake.assign([0, 1]);
    await accept(recordAt(0));
    expect(log.lines).to.deep.equal(['warn partition.reset']);
    expect(added.map(({ isWanted }) => isWanted())).to.deep.equal([false, true, true, true]);
    expect(intake.positions()).to.deep.equal([at(0)]);
    expect(intake.figures()).to.include({ open: 1 });
    await accept(recordAt(1), recordAt(2));
    for (const { done } of added.slice(1, 3)) done();
    expect(intake.positions()).to.deep.equal([at(0)]);
    added[3]!.done();
    expect(intake.positions()).to.deep.equal([at(1)]);
  });

  it('takes in the events of a recreated topic beside those of the old one', async () => {
    const { intake, accept, added } = anIntake();
    await accept(...many(3));
    intake.positionLost(at(0));
    expect(intake.positions()).to.deep.equal([]);
    await accept(recordAt(0), recordAt(1));
    expect(added.map(({ isWanted }) => isWanted())).to.deep.equal([true, true, true, true, true]);
    for (const { done } of added.slice(0, 3)) done();
    expect(intake.positions()).to.deep.equal([at(0)]);
  });

  it('keeps nothing of the records of open events, so that the memory of their fetch is freed', async () => {
    const { intake, added } = anIntake();
    const acceptOne = () => {
      const record = recordAt(0);
      intake.accept(record);
      return new WeakRef(record);
    };
    const record = acceptOne();
    await settleDown();
    collectGarbage();
    expect(added).to.have.length(1);
    expect(record.deref()).to.equal(undefined);
  });

  // Regression: one event in each response kept all of it for up to a minute.
  it('keeps nothing of the record of an event whose type is not known yet', async () => {
    const world = anIntake();
    const known = Promise.withResolvers<ReadEvent>();
    // Uses the record, as decoding it does.
    world.read = async (record) => ({
      later: async () => (record.offset === 0 ? known.promise : { problem: 'another' }),
    });
    const acceptOne = () => {
      const record = recordAt(0);
      world.intake.accept(record);
      return new WeakRef(record);
    };
    const record = acceptOne();
    await settleDown();
    collectGarbage();
    expect(record.deref()).to.equal(undefined);
    known.resolve(aReadEvent());
    await settleDown();
    expect(world.added).to.have.length(1);
  });

  it('quarantines an unreadable event and continues', async () => {
    const world = anIntake();
    world.read = async ({ offset }) => (offset === 0 ? { problem: 'broken' } : aReadEvent());
    await world.accept(recordAt(0), recordAt(1));
    expect(world.quarantined).to.deep.equal(['0 broken']);
    expect(world.added).to.have.length(1);
    expect(world.intake.positions()).to.deep.equal([at(1)]);
  });

  // Regression: each of up to thousands of events logged each of its tries.
  it('logs once for a partition that its unreadable events cannot be put into quarantine', async () => {
    const world = anIntake();
    world.read = async () => ({ problem: 'broken' });
    world.quarantine = async () => {
      throw new Error('no broker');
    };
    await world.accept(...many(5), recordAt(0, 1));
    await settleDown();
    expect(world.log.lines).to.deep.equal(['warn event.failed', 'warn event.failed']);
    world.intake.stop();
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

  describe('measures for how long the oldest open event has been the oldest', () => {
    const MINUTE_MS = 60_000;

    it('of the partition where that is longest, whatever becomes of later events', async () => {
      const world = anIntake();
      const oldestMs = () => world.intake.figures().oldestMs;
      expect(oldestMs()).to.equal(0);
      await world.accept(...many(3), recordAt(0, 1));
      world.time = 6 * MINUTE_MS;
      for (const later of [1, 3]) world.added[later]!.done();
      expect(oldestMs()).to.equal(6 * MINUTE_MS);
      world.added[0]!.done();
      expect(oldestMs()).to.equal(0);
      world.time += MINUTE_MS;
      expect(oldestMs()).to.equal(MINUTE_MS);
      world.added[2]!.done();
      expect(oldestMs()).to.equal(0);
    });

    it('also if it cannot be read, or not be put into quarantine', async () => {
      const world = anIntake();
      world.read = async ({ partition }) => {
        if (partition === 0) throw new Error('no schema');
        return { problem: 'broken' };
      };
      world.quarantine = async () => {
        throw new Error('no broker');
      };
      for (const partition of [0, 1]) {
        world.time = 0;
        world.intake.assign([partition]);
        await world.accept(recordAt(0, partition));
        world.time = 6 * MINUTE_MS;
        expect(world.intake.figures().oldestMs).to.equal(6 * MINUTE_MS);
      }
    });

    // With the time since they were taken in, or since they happened, a backlog that is being worked off would look stuck.
    it('and no longer than one takes, in a backlog of over an hour', async () => {
      const world = anIntake();
      await world.accept(...many(200));
      const seen = new Set<number>();
      for (let done = 0; done < 200; done += 1) {
        world.time += MINUTE_MS / 2;
        seen.add(world.intake.figures().oldestMs);
        world.added[done]!.done();
        for (let tries = 0; tries < 5 && world.added.length === done + 1; tries += 1) await settleDown();
      }
      expect([...seen]).to.deep.equal([MINUTE_MS / 2]);
      expect(world.intake.figures()).to.include({ oldestMs: 0, open: 0 });
    });

    it('unless its partition belongs to another process', async () => {
      const world = anIntake();
      await world.accept(...many(3));
      world.time = MINUTE_MS;
      world.intake.assign([1]);
      expect(world.intake.figures().oldestMs).to.equal(0);
      world.added[0]!.done();
      world.intake.assign([0, 1]);
      await world.accept(recordAt(0));
      world.time += 1;
      expect(world.intake.figures()).to.include({ oldestMs: 1, open: 1 });
    });
  });

  describe('with a damaged endpoint', () => {
    const [DAMAGED, OTHER] = [idFor('endpoint', 'damaged'), idFor('endpoint', 'other')];
    /** How often each event was added, by its offset. */
    const countAdded = (added: readonly NewEvent[], offsets: readonly number[]) =>
      offsets.map((offset) => namesOf(added).filter((id) => id === idOf(offset)).length);

    /** Rests after postponements end by calls. */
    function restingIntake() {
      const rests: { readonly ms: number; readonly end: () => void }[] = [];
      const world = anIntake((ms) =>
        ms === 500 || ms === 1_000
          ? new Promise((end) => rests.push({ ms, end }))
          : new Promise((resolve) => setImmediate(resolve)),
      );
      const endRest = async () => {
        rests.shift()!.end();
        await settleDown(30);
      };
      return Object.assign(world, { rests, endRest });
    }

    // Regression: once such events had used up the share of their workspace, nothing of it was fanned out.
    it('takes in any number of events for it and for others, without their room', async () => {
      const { accept, added, intake } = restingIntake();
      for (let offset = 0; offset < 50; offset += 1) {
        await accept(recordAt(offset));
        expect(added).to.have.length(offset + 1);
        added[offset]!.incomplete(DAMAGED);
      }
      expect(intake.positions()).to.deep.equal([at(0)]);
      expect(intake.updatePauses()).to.deep.equal([]);
    });

    it('fans out its first event again after growing rests, then the others, and commits all', async () => {
      const { accept, added, intake, rests, endRest } = restingIntake();
      await accept(...many(4));
      for (const index of [2, 0, 3]) added[index]!.incomplete(DAMAGED);
      added[1]!.done();
      expect(rests.map(({ ms }) => ms)).to.deep.equal([500]);
      await endRest();
      expect(countAdded(added, [0, 1, 2, 3])).to.deep.equal([2, 1, 1, 1]);
      expect(added.map(({ isRepeated }) => isRepeated)).to.deep.equal([false, false, false, false, true]);
      added[4]!.incomplete(DAMAGED);
      expect(rests.map(({ ms }) => ms)).to.deep.equal([1_000]);
      await endRest();
      expect(countAdded(added, [0, 1, 2, 3])).to.deep.equal([3, 1, 1, 1]);
      for (let done = 5; done < 8; done += 1) {
        added[done]!.queued();
        added[done]!.done();
        await settleDown(30);
      }
      expect(countAdded(added, [0, 1, 2, 3])).to.deep.equal([3, 1, 2, 2]);
      expect(intake.positions()).to.deep.equal([at(4)]);
      expect(intake.figures()).to.include({ open: 0, oldestMs: 0 });
    });

    it('lets events for a repaired endpoint not wait for those of another one', async () => {
      const { accept, added, endRest } = restingIntake();
      await accept(...many(3));
      for (const index of [0, 1]) added[index]!.incomplete(DAMAGED);
      added[2]!.incomplete(OTHER);
      await endRest();
      added.at(-1)!.incomplete(OTHER);
      await settleDown(30);
      expect(countAdded(added, [0, 1, 2]), 'the second event is tried').to.deep.equal([2, 2, 1]);
    });

    it('forgets events of a partition that another process has now', async () => {
      const { accept, added, intake, endRest } = restingIntake();
      await accept(recordAt(0));
      added[0]!.incomplete(DAMAGED);
      intake.assign([1]);
      await endRest();
      expect(added).to.have.length(1);
      intake.assign([0, 1]);
      await accept(recordAt(0));
      expect(added, 'read again after its return').to.have.length(2);
    });

    // Regression: while very many rested for equally long, deferred events of all workspaces waited for all of them.
    it('reads deferred events and its own in turn', async () => {
      const { accept, added, rests } = restingIntake();
      const own = Array.from({ length: 20 }, (_, offset) => recordAt(4 * offset, 0, { key: 'other' }));
      for (const record of own) {
        await accept(record);
        added.at(-1)!.incomplete(idFor('endpoint', `${record.offset}`));
      }
      const busy = Array.from({ length: 11 }, (_, index) => recordAt(100 + index));
      await accept(...busy);
      expect(added).to.have.length(30);
      for (const { end } of rests.splice(0)) end();
      for (const event of added.slice(20)) event.done();
      await settleDown(30);
      const again = namesOf(added).slice(30);
      expect(again.indexOf(idOf(110)), `${again.length}`).to.be.within(0, 3);
    });

    it('takes in no more of its events than there is room for', async () => {
      const { accept, added, rests } = restingIntake();
      for (let offset = 0; offset < 120; offset += 1) {
        await accept(recordAt(offset, 0, { key: `${offset}` }));
        added.at(-1)!.incomplete(idFor('endpoint', `${offset}`));
      }
      for (const { end } of rests.splice(0)) end();
      await settleDown(2_000);
      expect(added).to.have.length(120 + 90);
      added.at(-1)!.done();
      await settleDown(100);
      expect(added).to.have.length(120 + 91);
    });

    /** An intake with incomplete events of one endpoint, of which the first one was just fanned out again. */
    async function repairedIntake(count: number) {
      const world = restingIntake();
      world.readAtMost = 40;
      for (const record of many(count)) {
        await world.accept(record);
        world.added.at(-1)!.incomplete(DAMAGED);
      }
      await world.endRest();
      const { readAgain } = world;
      let reads = 0;
      world.readAgain = (from) => {
        reads += 1;
        return readAgain(from);
      };
      world.added.at(-1)!.done();
      await settleDown(30);
      return Object.assign(world, { reads: () => reads });
    }

    // Regression: after its repair, each event took a read of 200 records of which the others were not used.
    it('takes in several of its events of one read after its repair, in order, and commits all', async () => {
      const { added, intake, reads } = await repairedIntake(80);
      for (let done = 81; done < added.length; done += 1) {
        added[done]!.done();
        await settleDown(30);
      }
      expect(namesOf(added).slice(80)).to.deep.equal(Array.from({ length: 80 }, (_, offset) => idOf(offset)));
      expect(intake.positions()).to.deep.equal([at(80)]);
      expect(reads()).to.be.at.most(10);
    });

    it('takes in no more of its events than the share of its workspace, nor while their attempts are awaited', async () => {
      const { accept, added, reads } = await repairedIntake(80);
      expect(added).to.have.length(80 + 1 + 10);
      await accept(recordAt(100, 0, { key: 'other' }));
      expect(added, 'one of another workspace').to.have.length(80 + 1 + 10 + 1);
      for (const { queued } of added.slice(81, 91)) queued();
      await settleDown(30);
      expect(reads()).to.equal(1);
      for (const { done } of added.slice(81, 91)) done();
      await settleDown(30);
      expect([added.length, reads()]).to.deep.equal([80 + 1 + 10 + 1 + 10, 2]);
    });

    it('takes in one event again after another failure', async () => {
      const { added, rests, endRest } = await repairedIntake(80);
      for (const { incomplete } of added.slice(81)) incomplete(DAMAGED);
      await settleDown(30);
      expect(rests.map(({ ms }) => ms)).to.deep.equal([500]);
      await endRest();
      expect(namesOf(added).slice(80 + 1 + 10)).to.deep.equal([idOf(1)]);
    });

    it('counts its events among the oldest open ones, also while one is fanned out again', async () => {
      const world = restingIntake();
      await world.accept(...many(2));
      world.added[0]!.incomplete(DAMAGED);
      world.added[1]!.done();
      world.time = 60_000;
      expect(world.intake.figures()).to.include({ open: 1, oldestMs: 60_000 });
      await world.endRest();
      world.time = 120_000;
      expect(world.intake.figures().oldestMs).to.equal(120_000);
      world.added[2]!.done();
      expect(world.intake.figures()).to.include({ open: 0, oldestMs: 0 });
    });

    it('reports its event that the broker does not store any more, and continues', async () => {
      const world = restingIntake();
      await world.accept(...many(2));
      for (const { incomplete } of world.added.slice()) incomplete(DAMAGED);
      world.stored.shift();
      await world.endRest();
      expect(world.log.lines).to.include('error event.lost');
      expect(namesOf(world.added).slice(2)).to.deep.equal([idOf(1)]);
      world.added[2]!.done();
      expect(world.intake.positions()).to.deep.equal([at(2)]);
    });

    it('reports its event of a topic that was recreated, which cannot be read again', async () => {
      const { accept, added, intake, log } = restingIntake();
      await accept(...many(2));
      intake.positionLost(at(0));
      await accept(recordAt(0));
      added[0]!.incomplete(DAMAGED);
      expect(log.lines).to.include('error event.lost');
      added[2]!.done();
      expect(intake.positions()).to.deep.equal([at(1)]);
    });
  });

  it('reads no more events after a stop', async () => {
    const { intake, accept, added } = anIntake();
    intake.stop();
    await accept(recordAt(0));
    expect(added).to.deep.equal([]);
  });

  describe('deferring', () => {
    it('defers the events of a workspace that has its share, and takes in those of others behind them', async () => {
      const { intake, accept, added } = anIntake();
      await accept(...many(100), recordAt(100, 0, { key: 'calm' }));
      expect(namesOf(added)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((offset) => idOf(offset)));
      expect(intake.updatePauses()).to.deep.equal([]);
      expect(intake.figures()).to.include({ open: 101, pausedPartitions: 0 });
    });

    it('defers by the bytes of open events, too, but takes in any event of a workspace without open ones', async () => {
      const { accept, added } = anIntake();
      const large = { bytes: 1_100 };
      await accept(recordAt(0, 0, large), recordAt(1, 0, large), recordAt(2, 0, { key: 'calm', ...large }));
      expect(namesOf(added)).to.deep.equal([idOf(0), idOf(2)]);
    });

    it('defers by the memory of decoded events, not by their text, whose size limits the chunks', async () => {
      const { accept, added } = anIntake();
      const value = Buffer.from(JSON.stringify({ items: Array(25).fill({}) }));
      await accept({ ...recordAt(0), value }, { ...recordAt(1), value });
      expect(added.map(({ bytes }) => bytes)).to.deep.equal([value.length]);
    });

    it('reads deferred events again in order as others are done, and commits all', async () => {
      const { intake, accept, added } = anIntake();
      const records = Array.from({ length: 60 }, (_, offset) =>
        recordAt(offset, 0, { key: offset % 3 === 0 ? 'calm' : 'busy' }),
      );
      await accept(...records);
      for (let done = 0; done < 60; done += 1) {
        expect(added.length - done).to.be.within(1, 20);
        added[done]!.done();
        await settleDown();
      }
      const ids = namesOf(added);
      for (const isOfCalm of [true, false]) {
        const own = records.filter(({ offset }) => (offset % 3 === 0) === isOfCalm);
        const expected = own.map(({ offset }) => idOf(offset));
        expect(ids.filter((id) => expected.includes(id))).to.deep.equal(expected);
      }
      expect(ids).to.have.length(60);
      expect(intake.positions()).to.deep.equal([at(60)]);
    });

    it('has room again as soon as events only wait for attempts, and once for each', async () => {
      const { intake, accept, added } = anIntake();
      await accept(...many(30));
      expect(added).to.have.length(10);
      for (const event of added.slice(0, 10)) event.queued();
      await settleDown(30);
      expect(added, 'read again until the half is used').to.have.length(16);
      expect(intake.positions()).to.deep.equal([at(0)]);
      for (const event of added.slice(0, 10)) event.done();
      await settleDown(30);
      expect(added, 'the room was free already').to.have.length(16);
      expect(intake.positions()).to.deep.equal([at(10)]);
      expect(intake.figures()).to.include({ open: 20 });
    });

    it('keeps the order of a workspace with deferred events, although there is room again', async () => {
      const world = anIntake();
      const { accept, added } = world;
      const reading = Promise.withResolvers<readonly EventRecord[]>();
      world.readAgain = () => reading.promise;
      await accept(...many(11));
      for (const { done } of added.slice(0, 10)) done();
      await accept(recordAt(11));
      expect(added).to.have.length(10);
      reading.resolve([recordAt(10), recordAt(11)]);
      await settleDown();
      expect(namesOf(added).slice(10)).to.deep.equal([idOf(10), idOf(11)]);
    });

    it('reads again until the broker is back', async () => {
      const world = anIntake();
      const { accept, added, log, stored } = world;
      let failures = 3;
      world.readAgain = async ({ offset }) => {
        failures -= 1;
        if (failures >= 0) throw new Error('no broker');
        return stored.slice(offset);
      };
      await accept(...many(11));
      for (const { done } of added.slice(0, 10)) done();
      await settleDown();
      expect(added).to.have.length(11);
      expect(log.lines.filter((line) => line === 'warn event.failed')).to.have.length(3);
    });

    // Regression: the partition that was read first was tried again and again, and no other one was read.
    it('reads those of other partitions while one cannot be read, or takes long', async () => {
      const world = anIntake();
      const { accept, added, stored } = world;
      const answers = [Promise.reject(new Error('no leader')), new Promise<never>(() => {})];
      for (const answer of answers) answer.catch(() => {});
      world.readAgain = async ({ partition, offset }) => {
        if (partition === 0) return answers.shift() ?? [];
        return stored.filter((record) => record.partition === 1 && record.offset >= offset);
      };
      await accept(...many(11), ...many(11, 1));
      const { length } = added;
      for (const { done } of added.slice(0, length)) done();
      await settleDown();
      const later = namesOf(added).slice(length);
      expect(later.length).to.be.above(0);
      expect(later.at(-1)).to.equal(idOf(10, 1));
      expect(later).not.to.include(idOf(10, 0));
    });

    it('reports a deferred event that the broker does not store any more, and continues', async () => {
      const world = anIntake();
      const { intake, accept, added, log, stored } = world;
      world.readAgain = async ({ offset }) => stored.slice(Math.max(offset, 12));
      await accept(...many(13));
      for (const { done } of added.slice(0, 10)) done();
      await settleDown();
      expect(namesOf(added).slice(10)).to.deep.equal([idOf(12)]);
      expect(log.lines.filter((line) => line === 'error event.lost')).to.have.length(1);
      added[10]!.done();
      expect(intake.positions()).to.deep.equal([at(13)]);
    });

    // Regression: each of them was read and reported alone, and other workspaces waited meanwhile.
    it('reports the deferred events together that the broker has removed, and reads those of others', async () => {
      const world = anIntake();
      const { intake, accept, added, log, stored } = world;
      const reads: number[] = [];
      const START = 1_000;
      world.readAgain = async ({ offset }) => {
        reads.push(offset);
        return offset < START ? { start: START } : stored.slice(offset);
      };
      const others = [0, 1, 2].map((n) => recordAt(START + n, 0, { key: 'other', bytes: 900 }));
      await accept(...many(START), ...others);
      for (let index = 0; index < added.length; index += 1) {
        added[index]!.done();
        await settleDown();
      }
      expect(namesOf(added).slice(-3)).to.deep.equal([0, 1, 2].map((n) => idOf(START + n)));
      expect(reads.filter((offset) => offset < START)).to.deep.equal([10]);
      expect(log.lines.filter((line) => line === 'error event.lost')).to.have.length(1);
      expect(intake.positions()).to.deep.equal([at(START + 3)]);
    });

    // Regression: it was taken for the event of the new topic with its offset, which was then never fanned out.
    it('does not take a deferred event of a topic that was recreated while the event was read again', async () => {
      const world = anIntake();
      const { intake, accept, added } = world;
      const reading = deferred<readonly EventRecord[]>();
      world.readAgain = () => reading.promise;
      await accept(...many(11));
      for (const { done } of added.slice(0, 6)) done();
      await settleDown();
      intake.positionLost(at(0));
      const ofNewTopic = recordAt(10);
      await accept(...many(6), ofNewTopic);
      for (const { done } of added.slice(10)) done();
      const read: EventRecord[] = [];
      world.read = async (record) => {
        read.push(record);
        return aReadEvent();
      };
      world.readAgain = async () => [ofNewTopic];
      reading.resolve([recordAt(10)]);
      await settleDown();
      expect(read).to.deep.equal([ofNewTopic]);
      expect(read[0]).to.equal(ofNewTopic);
    });

    // Regression: it was read again every 10 ms until the consumer reported its lost position.
    it('reports a deferred event in whose place a recreated topic has that of another workspace', async () => {
      const world = anIntake();
      const { accept, added, log } = world;
      world.readAgain = async ({ offset }) => [recordAt(offset, 0, { key: 'other' })];
      await accept(...many(11));
      for (const { done } of added.slice(0, 10)) done();
      await settleDown();
      expect(log.lines).to.include('warn event.failed');
      expect(log.lines).not.to.include('error event.lost');
      expect(added).to.have.length(10);
    });

    it('reads deferred events again when another partition is lost whose events took their room', async () => {
      const { intake, accept, added } = anIntake();
      const full = (partition: number) => ({ ...recordAt(0, partition, { key: 'full', bytes: 9_000 }) });
      await accept(full(0), recordAt(0, 1));
      expect(added).to.have.length(1);
      intake.assign([1]);
      await settleDown();
      expect(namesOf(added)).to.deep.equal([idOf(0), idOf(0, 1)]);
    });

    it('drops the deferred events of a partition that another process has now', async () => {
      const { intake, accept, added } = anIntake();
      await accept(...many(30), recordAt(0, 1));
      intake.assign([1]);
      expect(intake.figures()).to.include({ open: 1 });
      added.at(-1)!.done();
      await settleDown();
      expect(added).to.have.length(11);
      intake.assign([0, 1]);
      await accept(recordAt(0));
      expect(added, 'and finds room when it returns').to.have.length(12);
    });
  });

  describe('pausing', () => {
    it('continues to read a partition in which a workspace has any number of consecutive deferred events', async () => {
      const { intake, accept, added } = anIntake();
      await accept(...many(20_000), recordAt(0, 1));
      expect(intake.updatePauses()).to.deep.equal([]);
      await accept(recordAt(20_000, 0, { key: 'calm' }));
      expect(namesOf(added).at(-1)).to.equal(idOf(20_000));
      expect(intake.figures()).to.include({ open: 20_002, pausedPartitions: 0 });
    });

    it('continues to read a partition in which events of others are between thousands of deferred ones', async () => {
      const { intake, accept, added } = anIntake();
      for (let offset = 0; offset < 8_000; offset += 10) {
        const records = Array.from({ length: 10 }, (_, index) =>
          recordAt(offset + index, 0, { key: index % 2 === 0 ? 'busy' : 'calm' }),
        );
        await accept(...records);
        const own = new Set(records.filter((_, index) => index % 2 === 1).map((one) => idOf(one.offset)));
        const calm = added.filter(({ event }) => own.has(event.payload.eventId));
        expect(calm).to.have.length(5);
        for (const event of calm) event.done();
        expect(intake.updatePauses()).to.deep.equal([]);
      }
      expect(intake.figures().open).to.equal(4_000);
    });

    it('pauses a partition above its share of runs of deferred events and resumes it at half of it', async () => {
      const { intake, accept, added } = anIntake();
      const withGaps = many(111).map(({ offset }) => recordAt(offset * 200));
      await accept(...withGaps.slice(0, 110), recordAt(0, 1));
      expect(intake.updatePauses()).to.deep.equal([]);
      await accept(...withGaps.slice(110));
      expect(intake.updatePauses()).to.deep.equal([{ topic: EVENTS_TOPIC, partition: 0 }]);
      const finish = async (events: number) => {
        for (let done = 0; done < events; done += 1) {
          added.shift()!.done();
          await settleDown();
        }
      };
      await finish(40);
      expect(intake.updatePauses()).to.have.length(1);
      await finish(20);
      expect(intake.updatePauses()).to.deep.equal([]);
    });

    it('resumes a partition with a large share 500 runs below it', async () => {
      const { intake, accept, added } = anIntake(undefined, 4_000);
      await accept(...many(2_020).map(({ offset }) => recordAt(offset * 200)));
      const finish = async (events: number) => {
        for (let done = 0; done < events; done += 1) {
          added.shift()!.done();
          await settleDown();
        }
      };
      expect(intake.updatePauses()).to.have.length(1);
      await finish(450);
      expect(intake.updatePauses()).to.have.length(1);
      await finish(100);
      expect(intake.updatePauses()).to.deep.equal([]);
    });
  });
});
