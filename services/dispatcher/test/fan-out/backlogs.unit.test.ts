import { expect } from 'chai';
import fc from 'fast-check';
import { type Backlogs, createBacklogs, type SizedEvent } from '../../src/fan-out/backlogs.js';

const LIMITS = { openEvents: 60, openBytes: 6_000 };

const arrivals = fc.array(
  fc.record({
    partition: fc.integer({ min: 0, max: 1 }),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    bytes: fc.constantFrom(1, 10, 1_000),
    /** Events that are done before it arrives. */
    done: fc.integer({ min: 0, max: 2 }),
    /** Whether it expires before it is read again. */
    expires: fc.boolean(),
  }),
  { maxLength: 200, size: 'max' },
);

/** @returns those of thirty events that are open */
const publish = (backlogs: Backlogs, key: string, from: number, partition = 0): readonly SizedEvent[] =>
  Array.from({ length: 30 }, (_, index) => ({ partition, key, offset: from + index, bytes: 1 })).filter(
    backlogs.take,
  );

describe('backlogs', () => {
  it('open every event in the order of its workspace, and never more than there is room for', () => {
    fc.assert(
      fc.property(arrivals, (all) => {
        const backlogs = createBacklogs(LIMITS);
        const events = all.map(({ done: _, expires, ...event }, offset) => ({ ...event, offset, expires }));
        const lost = new Set<number>();
        const open: SizedEvent[] = [];
        const opened: SizedEvent[] = [];
        const take = (event: SizedEvent) => {
          const bytes = open.reduce((sum, one) => sum + one.bytes, 0);
          expect(open.length < LIMITS.openEvents && bytes < LIMITS.openBytes).to.equal(true);
          open.push(event);
          opened.push(event);
        };
        const finish = () => {
          const event = open.shift();
          if (event !== undefined) backlogs.release(event);
          for (let next = backlogs.next(); next !== null; next = backlogs.next()) {
            const again = events[next.offset]!;
            if (again.expires) {
              expect(backlogs.removeDeferred(next, next.offset + 1)).to.deep.equal([next.offset]);
              expect(backlogs.removeDeferred(next, next.offset + 1)).to.deep.equal([]);
              lost.add(next.offset);
              continue;
            }
            expect(backlogs.takeDeferred(again)).to.equal(true);
            take(again);
          }
        };
        for (const [offset, { done }] of all.entries()) {
          for (let count = 0; count < done; count += 1) finish();
          if (backlogs.take(events[offset]!)) take(events[offset]!);
        }
        while (open.length > 0) finish();
        expect(backlogs.anyDeferred()).to.equal(false);
        expect([0, 1].map(backlogs.deferredRuns)).to.deep.equal([0, 0]);
        const kept = events.filter(({ offset }) => !lost.has(offset));
        const lineOf = ({ partition, key }: SizedEvent) => `${partition}/${key}`;
        expect(Object.groupBy(opened, lineOf)).to.deep.equal(Object.groupBy(kept, lineOf));
      }),
    );
  });

  it('leave room for another workspace, however many of them have more events than their share', () => {
    const backlogs = createBacklogs({ openEvents: 900, openBytes: 9_000 });
    const takeFrom = (key: string, from: number) =>
      Array.from({ length: 900 }, (_, index) => ({
        partition: 0,
        key,
        offset: from + index,
        bytes: 1,
      })).filter(backlogs.take).length;
    const shares = Array.from({ length: 20 }, (_, index) => takeFrom(`busy ${index}`, index * 900));
    expect(shares[0]).to.equal(100);
    expect(shares.every((share) => share > 0)).to.equal(true);
    expect(backlogs.take({ partition: 0, key: 'calm', offset: 20_000, bytes: 1 })).to.equal(true);
  });

  describe('reading again', () => {
    it('starts with the first event in the partition, so that a read brings those of several workspaces', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 100)];
      for (const event of first.slice(2)) backlogs.release(event);
      for (const event of second.slice(1)) backlogs.release(event);
      expect(backlogs.next()).to.deep.equal({ partition: 0, key: 'first', offset: first.length });
    });

    it('starts with a workspace that has no open event, far behind those of others that have', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 400)];
      for (const event of [...first.slice(2), ...second]) backlogs.release(event);
      expect(backlogs.next()).to.deep.equal({ partition: 0, key: 'second', offset: 400 + second.length });
    });

    it('starts with others in front of it that are near and use less than half of their share', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [far, full, near, empty] = [
        publish(backlogs, 'far', 0),
        publish(backlogs, 'full', 300),
        publish(backlogs, 'near', 350),
        publish(backlogs, 'empty', 400),
      ];
      for (const event of [...far.slice(2), ...full.slice(6), ...near.slice(2), ...empty])
        backlogs.release(event);
      expect(backlogs.next()).to.deep.equal({ partition: 0, key: 'near', offset: 350 + near.length });
    });

    it('waits for room for several events, unless the workspace has no open event', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [last, ...others] = publish(backlogs, 'a', 0);
      for (let busy = 1; busy <= 20; busy += 1) publish(backlogs, `busy ${busy}`, busy * 100);
      for (const event of others) backlogs.release(event);
      expect(backlogs.next()).to.equal(null);
      backlogs.release(last!);
      expect(backlogs.next()?.key).to.equal('a');
    });

    for (const [what, count, bytes] of [
      ['events', 70, 0],
      ['bytes', 1, 700],
    ] as const)
      it(`waits for free ${what}, unless the workspace has no open event, and skips partitions that cannot be read`, () => {
        const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
        const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 0, 1)];
        for (const event of [...first.slice(1), ...second]) backlogs.release(event);
        const others = Array.from({ length: count }, (_, offset) => ({
          partition: 2,
          key: 'others',
          offset,
          bytes,
        }));
        for (const event of others) backlogs.takeAgain(event);
        expect(backlogs.next()).to.include({ partition: 1 });
        expect(backlogs.next((partition) => partition !== 1)).to.equal(null);
        for (const event of others) backlogs.release(event);
        expect(backlogs.next((partition) => partition !== 1)).to.include({ partition: 0 });
      });

    it('starts in the partition of the workspace with the fewest open events', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 100, 1)];
      for (const event of [...first.slice(2), ...second.slice(1)]) backlogs.release(event);
      expect(backlogs.next()).to.include({ partition: 1, key: 'second' });
    });

    it('takes only the event that is next, and only while its workspace may have more', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [last, ...others] = publish(backlogs, 'a', 0);
      const next = { partition: 0, key: 'a', offset: 10, bytes: 1 };
      expect(backlogs.takeDeferred(next), 'at its share').to.equal(false);
      for (const event of [last!, ...others]) backlogs.release(event);
      expect(backlogs.takeDeferred({ ...next, offset: 11 })).to.equal(false);
      expect(backlogs.takeDeferred(next)).to.equal(true);
      expect(backlogs.next()).to.include({ offset: 11 });
    });
  });

  it('defer an event behind deferred ones of its workspace, although it may have more open events by now', () => {
    const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
    for (const event of publish(backlogs, 'a', 0).slice(7)) backlogs.release(event);
    const event = { partition: 0, key: 'a', offset: 30, bytes: 1 };
    expect(backlogs.take(event)).to.equal(false);
    expect(backlogs.take({ ...event, partition: 1 })).to.equal(true);
  });

  it('limit the bytes of a workspace like its events', () => {
    const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
    const events = Array.from({ length: 9 }, (_, offset) => ({ partition: 0, key: 'a', offset, bytes: 20 }));
    const open = events.filter(backlogs.take);
    expect(open).to.have.length(5);
    for (const event of open) backlogs.release(event);
    expect(events.slice(5).filter(backlogs.takeDeferred)).to.have.length(4);
    expect(backlogs.anyDeferred()).to.equal(false);
  });

  for (const [what, count, bytes] of [
    ['events', 10, 1],
    ['bytes', 5, 20],
  ] as const)
    it(`have room for a workspace until it uses its share of the ${what}`, () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const workspace = { partition: 0, key: 'a' };
      for (let offset = 0; offset < count; offset += 1) {
        expect(backlogs.hasRoom(workspace)).to.equal(true);
        backlogs.takeAgain({ ...workspace, offset, bytes });
      }
      expect(backlogs.hasRoom(workspace)).to.equal(false);
      expect(backlogs.hasRoom({ ...workspace, key: 'b' })).to.equal(true);
      backlogs.release({ ...workspace, offset: 0, bytes });
      expect(backlogs.hasRoom(workspace)).to.equal(true);
    });

  it('forget the deferred events of a partition, and only these', () => {
    const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
    const [dropped, kept] = [publish(backlogs, 'a', 0), publish(backlogs, 'a', 0, 1)];
    backlogs.drop(0);
    expect([0, 1].map(backlogs.deferredRuns)).to.deep.equal([0, 1]);
    for (const event of [...dropped, ...kept]) backlogs.release(event);
    expect(backlogs.next()).to.include({ partition: 1 });
    expect(publish(backlogs, 'a', 0)).to.have.length.above(0);
    for (const partition of [0, 1]) backlogs.drop(partition);
    expect(backlogs.anyDeferred()).to.equal(false);
  });
});
