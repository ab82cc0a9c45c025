import type { History } from '@postrider/shared/ports/housekeeping';
import { expect } from 'chai';
import { removeExpired } from '../src/remove-expired.js';

const NOW = new Date('2026-03-31T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Runs the cleanup on this many expired deliveries and tombstones; each pass takes `passMs`. */
async function cleanUp({
  expired = 0,
  tombstones = 0,
  passMs = 0,
  budgetMs = 60_000,
  retentionMs = 30 * DAY_MS,
}) {
  let now = NOW.getTime();
  const passes: string[] = [];
  const events: unknown[] = [];
  const cutOffs = new Set<string>();
  const left = { expired, tombstones };
  const remove = (what: keyof typeof left, limit: number) => {
    now += passMs;
    const removed = Math.min(left[what], limit);
    left[what] -= removed;
    passes.push(`${removed} ${what}`);
    return removed;
  };
  const history: History = {
    async removeExpired(before, limit) {
      cutOffs.add(before.toISOString());
      return remove('expired', limit);
    },
    removeTombstones: async (limit) => remove('tombstones', limit),
  };
  const note = ({ event }: { event?: string }) => events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  const clock = { now: () => new Date(now) };
  const total = await removeExpired({ history, clock, retentionMs, budgetMs, log });
  return { total, passes, events, cutOffs: [...cutOffs] };
}

describe('removeExpired', () => {
  it('removes deliveries older than the retention at its start, a hundred at a time, until none is left', async () => {
    const { total, passes, cutOffs, events } = await cleanUp({ expired: 250, passMs: 10 });
    expect(total).to.equal(250);
    expect(passes).to.deep.equal(['100 expired', '100 expired', '50 expired', '0 tombstones']);
    expect(cutOffs).to.deep.equal(['2026-03-01T00:00:00.000Z']);
    expect(events).to.deep.equal(['cleanup.done']);
  });

  it('runs another pass after a full one', async () => {
    const { passes } = await cleanUp({ expired: 100 });
    expect(passes).to.deep.equal(['100 expired', '0 expired', '0 tombstones']);
  });

  it('removes tombstones in passes', async () => {
    const { passes } = await cleanUp({ tombstones: 130 });
    expect(passes).to.deep.equal(['0 expired', '100 tombstones', '30 tombstones']);
  });

  it('begins no further pass after its time limit and logs it', async () => {
    const { total, passes, events } = await cleanUp({ expired: 1_000, passMs: 30_000, budgetMs: 60_000 });
    expect(passes).to.deep.equal(['100 expired', '100 expired', '100 expired']);
    expect(total).to.equal(300);
    expect(events).to.deep.equal(['cleanup.unfinished']);
  });

  it('leaves tombstones to the next run if deliveries took all the time', async () => {
    const { passes, events } = await cleanUp({ expired: 50, tombstones: 5, passMs: 61_000 });
    expect(passes).to.deep.equal(['50 expired']);
    expect(events).to.deep.equal(['cleanup.unfinished']);
  });

  it('keeps everything for a retention that reaches back beyond the epoch', async () => {
    const { cutOffs } = await cleanUp({ retentionMs: 999_999_999 * DAY_MS });
    expect(cutOffs).to.deep.equal(['1970-01-01T00:00:00.000Z']);
  });
});
