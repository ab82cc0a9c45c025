import { firstIdAt, idOf } from '@postrider/shared/domain/id';
import type { History, IdRange } from '@postrider/shared/ports/housekeeping';
import { expect } from 'chai';
import { expiredRanges, removeExpired } from '../src/remove-expired.js';

const NOW = new Date('2026-03-31T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;

interface Situation {
  /** Expired deliveries, one a minute since the oldest. */
  readonly expired?: number;
  readonly tombstones?: number;
  readonly passMs?: number;
  readonly budgetMs?: number;
  readonly retentionMs?: number;
  readonly workers?: number;
}

/** Runs the cleanup; each pass takes `passMs`. */
async function cleanUp(situation: Situation) {
  const { expired = 0, tombstones = 0, passMs = 0, budgetMs = 60_000 } = situation;
  const { retentionMs = 30 * DAY_MS, workers = 1 } = situation;
  let now = NOW.getTime();
  const events: unknown[] = [];
  const ranges: IdRange[] = [];
  const passes: number[] = [];
  const oldest = new Date(NOW.getTime() - 40 * DAY_MS);
  const rows = new Set(
    Array.from({ length: expired }, (_, n) =>
      idOf('delivery', new Date(oldest.getTime() + n * 60_000), Buffer.alloc(10, 1)),
    ),
  );
  const left = { tombstones };
  const tombstonesFrom: (Date | null)[] = [];
  let deletedAt = oldest.getTime();
  const running = { now: 0, most: 0 };
  const history: History = {
    oldestDelivery: async () => (expired === 0 ? null : oldest),
    async removeExpired(range, limit) {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await Promise.resolve();
      now += passMs;
      ranges.push(range);
      const found = [...rows].filter((id) => id > range.after && id < range.before).slice(0, limit);
      for (const id of found) rows.delete(id);
      passes.push(found.length);
      running.now -= 1;
      return { removed: found.length, last: found.length < limit ? null : (found.at(-1) ?? null) };
    },
    async removeUnmatchedEvents() {
      return 0;
    },
    async removeTombstones(from, limit) {
      now += passMs;
      tombstonesFrom.push(from);
      const removed = Math.min(left.tombstones, limit);
      left.tombstones -= removed;
      deletedAt += removed;
      return { removed, last: removed < limit ? null : new Date(deletedAt) };
    },
  };
  const note = ({ event }: { event?: string }) => events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  const clock = { now: () => new Date(now) };
  const total = await removeExpired({ history, clock, retentionMs, budgetMs, workers, log });
  const mostAtOnce = running.most;
  return { total, passes, ranges, events, rows, left, oldest, tombstonesFrom, mostAtOnce };
}

describe('removeExpired', () => {
  for (const workers of [1, 4]) {
    it(`removes all expired deliveries in passes of at most a hundred, with ${workers} workers`, async () => {
      const { total, passes, rows, events, mostAtOnce } = await cleanUp({ expired: 2_500, workers });
      expect([total, rows.size]).to.deep.equal([2_500, 0]);
      expect(Math.max(...passes)).to.equal(100);
      expect(mostAtOnce).to.equal(workers);
      expect(events).to.deep.equal(['cleanup.done']);
    });
  }

  it('divides the time before the retention into ranges that do not overlap', () => {
    const [oldest, before] = [new Date(NOW.getTime() - DAY_MS), NOW];
    const ranges = expiredRanges(oldest, before, 8);
    expect(ranges[0]!.after).to.equal(firstIdAt('delivery', oldest));
    expect(ranges.at(-1)!.before).to.equal(firstIdAt('delivery', before));
    for (const [index, range] of ranges.slice(1).entries())
      expect(range.after).to.equal(ranges[index]!.before);
    expect(expiredRanges(before, before, 8)).to.deep.equal([]);
    expect(expiredRanges(null, before, 8)).to.deep.equal([]);
  });

  it('continues each range from the last delivery that it reached', async () => {
    const { ranges } = await cleanUp({ expired: 5_000 });
    const starts = ranges.map(({ after }) => after);
    expect(new Set(starts).size).to.equal(starts.length);
    expect(starts).to.deep.equal([...starts].sort());
  });

  it('removes tombstones in passes, each of which continues at the last one', async () => {
    const { left, events, oldest, tombstonesFrom } = await cleanUp({ tombstones: 230 });
    expect([left.tombstones, events]).to.deep.equal([0, ['cleanup.done']]);
    const after = (count: number) => new Date(oldest.getTime() + count);
    expect(tombstonesFrom).to.deep.equal([null, after(100), after(200)]);
  });

  it('begins no further pass after its time limit and logs it', async () => {
    const { total, passes, events, left } = await cleanUp({
      expired: 5_000,
      tombstones: 5,
      passMs: 30_000,
      budgetMs: 60_000,
    });
    expect(passes).to.deep.equal([100, 100, 100]);
    expect([total, left.tombstones]).to.deep.equal([300, 5]);
    expect(events).to.deep.equal(['cleanup.unfinished']);
  });

  it('keeps everything for a retention that reaches back beyond the epoch', async () => {
    const { passes, rows } = await cleanUp({ expired: 10, retentionMs: 999_999_999 * DAY_MS });
    expect([passes, rows.size]).to.deep.equal([[], 10]);
  });
});
