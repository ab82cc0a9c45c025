import { firstIdAt, idOf } from '@postrider/shared/domain/id';
import type { CleanupProgress, History, IdRange } from '@postrider/shared/ports/housekeeping';
import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { removeExpired } from '../src/remove-expired.js';

const NOW = new Date('2026-03-31T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;

interface Situation {
  /** Expired deliveries, one a second since the oldest. */
  readonly expired?: number;
  /** The first of them are still due. */
  readonly due?: number;
  readonly tombstones?: number;
  /** Expired events without deliveries. */
  readonly unmatched?: number;
  readonly passMs?: number;
  readonly budgetMs?: number;
  readonly retentionMs?: number;
  readonly workers?: number;
}

/** The first of these identifiers, which are in order, that are in a range. */
function firstOf(
  ids: ReadonlySet<string>,
  { from, before }: IdRange,
  limit: number,
  isLookedFor = (_id: string) => true,
): string[] {
  const found: string[] = [];
  for (const id of ids) {
    if (found.length === limit || id >= before) break;
    if (id >= from && isLookedFor(id)) found.push(id);
  }
  return found;
}

/** Runs the cleanup; each pass over deliveries takes `passMs`. */
async function cleanUp(situation: Situation) {
  const { expired = 0, due = 0, tombstones = 0, unmatched = 0, passMs = 0, budgetMs = 60_000 } = situation;
  const { retentionMs = 30 * DAY_MS, workers = 1 } = situation;
  let now = NOW.getTime();
  const events: unknown[] = [];
  const ranges: IdRange[] = [];
  const passes: number[] = [];
  const oldest = new Date(NOW.getTime() - 40 * DAY_MS);
  const ids = Array.from({ length: expired }, (_, n) =>
    idOf('delivery', new Date(oldest.getTime() + n * 1_000), Buffer.alloc(10, 1)),
  );
  const rows = new Set<string>(ids);
  const isDue = new Set<string>(ids.slice(0, due));
  const progress: { stored: CleanupProgress | null } = { stored: null };
  const eventIds = new Set<string>(
    Array.from({ length: unmatched }, (_, n) =>
      idOf('event', new Date(oldest.getTime() + n * 1_000), Buffer.alloc(10, 1)),
    ),
  );
  const eventPasses: number[] = [];
  const left = { tombstones };
  const tombstonesBefore: Date[] = [];
  const running = { now: 0, most: 0 };
  const history: History = {
    progress: async () => progress.stored,
    async saveProgress(saved) {
      progress.stored = saved;
    },
    endOfSlice: async (range, count) => firstOf(rows, range, count + 1)[count] ?? range.before,
    async removeExpired(range, limit) {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await Promise.resolve();
      now += passMs;
      ranges.push(range);
      const found = firstOf(rows, range, limit, (id) => !isDue.has(id));
      for (const id of found) rows.delete(id);
      passes.push(found.length);
      running.now -= 1;
      return { removed: found.length, last: found.length < limit ? null : (found.at(-1) ?? null) };
    },
    endOfEventSlice: async (range, count) => firstOf(eventIds, range, count + 1)[count] ?? range.before,
    async removeUnmatchedEvents(range) {
      const found = firstOf(eventIds, range, Number.POSITIVE_INFINITY);
      for (const id of found) eventIds.delete(id);
      eventPasses.push(found.length);
      return found.length;
    },
    async *tombstones(before, limit) {
      tombstonesBefore.push(before);
      while (left.tombstones > 0)
        yield Array.from({ length: Math.min(left.tombstones, limit) }, (_, n) => idFor('endpoint', `${n}`));
    },
    async removeTombstones(endpointIds) {
      left.tombstones -= endpointIds.length;
      return endpointIds.length;
    },
  };
  const note = ({ event }: { event?: string }) => events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  // The database's clock is corrected during the run.
  const clock = { now: () => NOW };
  const monotonicMs = () => now;
  const run = async () => {
    now = NOW.getTime();
    const parts = { history, clock, monotonicMs, retentionMs, budgetMs, workers, log };
    const { handled, isFinished } = await removeExpired(parts);
    expect(isFinished).to.equal(events.at(-1) === 'cleanup.done');
    return handled;
  };
  const total = await run();
  const maxAtOnce = running.most;
  return {
    total,
    passes,
    ranges,
    events,
    rows,
    isDue,
    left,
    oldest,
    tombstonesBefore,
    eventIds,
    eventPasses,
    maxAtOnce,
    progress,
    run,
  };
}

describe('removeExpired', () => {
  for (const workers of [1, 4]) {
    it(`removes all expired deliveries in passes of at most a hundred, with ${workers} workers`, async () => {
      const { total, passes, rows, events, maxAtOnce } = await cleanUp({ expired: 42_000, workers });
      expect([total, rows.size]).to.deep.equal([42_000, 0]);
      expect(Math.max(...passes)).to.equal(100);
      expect(maxAtOnce).to.equal(workers);
      expect(events).to.deep.equal(['cleanup.done']);
    });
  }

  it('continues each slice from the last delivery that it reached', async () => {
    const { ranges } = await cleanUp({ expired: 15_000 });
    const starts = ranges.map(({ from }) => from);
    expect(new Set(starts).size).to.equal(starts.length);
    expect(starts).to.deep.equal([...starts].sort());
  });

  it('examines a delivery that is still due once more in each run, and removes it after it has ended', async () => {
    const { rows, isDue, ranges, run } = await cleanUp({ expired: 15_000, due: 12_000 });
    expect(rows.size).to.equal(12_000);
    ranges.length = 0;
    isDue.delete([...rows][11_000]!);
    expect([await run(), rows.size]).to.deep.equal([1, 11_999]);
    expect(ranges, 'two slices').to.have.length(2);
    isDue.clear();
    expect([await run(), rows.size]).to.deep.equal([11_999, 0]);
  });

  it('continues behind the slices that an earlier run examined, before it examines due ones again', async () => {
    const time = { passMs: 25_000, budgetMs: 30_000 };
    const { progress, rows, run, events } = await cleanUp({ expired: 30_050, due: 30_000, ...time });
    expect(events).to.deep.equal(['cleanup.unfinished']);
    const positions = [progress.stored];
    for (let count = 0; count < 3; count += 1) {
      await run();
      positions.push(progress.stored);
    }
    expect(rows.size).to.equal(30_000);
    const [first, end] = [0, NOW.getTime() - 30 * DAY_MS].map((at) => firstIdAt('delivery', new Date(at)));
    const third = [...rows][20_000];
    expect(positions).to.deep.equal([
      { examinedTo: third, againTo: first },
      { examinedTo: end, againTo: first },
      { examinedTo: end, againTo: third },
      { examinedTo: end, againTo: first },
    ]);
  });

  it('removes endpoints that were deleted before the retention began, page by page', async () => {
    const { left, events, tombstonesBefore } = await cleanUp({ tombstones: 230 });
    expect([left.tombstones, events]).to.deep.equal([0, ['cleanup.done']]);
    expect(tombstonesBefore).to.deep.equal([new Date(NOW.getTime() - 30 * DAY_MS)]);
  });

  it('begins no further pass after its time limit and logs it', async () => {
    const { total, passes, events } = await cleanUp({ expired: 5_000, passMs: 30_000, budgetMs: 60_000 });
    expect(passes).to.deep.equal([100, 100, 100]);
    expect(total).to.equal(300);
    expect(events).to.deep.equal(['cleanup.unfinished']);
  });

  // Regression: events and endpoints came after all deliveries, which took the whole time of each run.
  it('removes events and endpoints although the deliveries take longer than its time limit', async () => {
    const { rows, eventIds, eventPasses, left } = await cleanUp({
      expired: 500,
      unmatched: 2_500,
      tombstones: 5,
      passMs: 30_000,
      budgetMs: 60_000,
      workers: 2,
    });
    expect([rows.size > 0, eventIds.size, left.tombstones]).to.deep.equal([true, 0, 0]);
    expect(eventPasses).to.deep.equal([1_000, 1_000, 500]);
  });

  it('keeps everything for a retention that reaches back beyond the epoch', async () => {
    const { passes, rows } = await cleanUp({ expired: 10, retentionMs: 999_999_999 * DAY_MS });
    expect([passes, rows.size]).to.deep.equal([[], 10]);
  });
});
