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
  { maxLength: 200 },
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
              expect(backlogs.removeDeferred(next)).to.equal(true);
              expect(backlogs.removeDeferred(next)).to.equal(false);
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
    const publish = (backlogs: Backlogs, key: string, from: number) =>
      Array.from({ length: 30 }, (_, index) => ({
        partition: 0,
        key,
        offset: from + index,
        bytes: 1,
      })).filter(backlogs.take);

    it('starts with the first event in the partition, so that a read brings those of several workspaces', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 100)];
      for (const event of first.slice(2)) backlogs.release(event);
      for (const event of second.slice(1)) backlogs.release(event);
      expect(backlogs.next()).to.deep.equal({ partition: 0, key: 'first', offset: first.length });
    });

    it('starts with a workspace that has no open event, behind those of others that have', () => {
      const backlogs = createBacklogs({ openEvents: 90, openBytes: 900 });
      const [first, second] = [publish(backlogs, 'first', 0), publish(backlogs, 'second', 100)];
      for (const event of [...first.slice(2), ...second]) backlogs.release(event);
      expect(backlogs.next()).to.deep.equal({ partition: 0, key: 'second', offset: 100 + second.length });
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
  });
});
