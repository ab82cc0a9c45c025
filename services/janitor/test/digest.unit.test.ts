import { asId } from '@postrider/shared/domain/id';
import type { Notification } from '@postrider/shared/domain/notification';
import type { DigestProgress, DigestStore, StatusCounts } from '@postrider/shared/ports/housekeeping';
import { expect } from 'chai';
import { daysToReport, digestId, digestOf } from '../src/digest.js';
import { sendDigests } from '../src/send-digests.js';

const FROM = new Date('2026-03-01T00:00:00.000Z');
const NOW = new Date('2026-03-02T00:05:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
const NONE: StatusCounts = {
  pending: 0,
  delivered: 0,
  failed: 0,
  failed_permanent: 0,
  dead_lettered: 0,
  held: 0,
};

describe('digestOf', () => {
  const day = {
    workspaceId: asId('workspace', 'ws_1'),
    from: FROM,
    now: NOW,
    deliveries: NONE,
    endpointsDisabled: 0,
  };

  it('counts the deliveries of a day by status', () => {
    const deliveries = {
      pending: 1,
      delivered: 7,
      failed: 2,
      failed_permanent: 3,
      dead_lettered: 4,
      held: 6,
    };
    expect(digestOf({ ...day, deliveries, endpointsDisabled: 5 })).to.deep.include({
      workspaceId: 'ws_1',
      kind: 'delivery_digest',
      endpointId: null,
      message: '2026-03-01: 7 of 17 deliveries arrived, 4 were given up.',
      data: {
        day: '2026-03-01',
        pending: 1,
        delivered: 7,
        failed: 2,
        failedPermanent: 3,
        deadLettered: 4,
        held: 6,
        endpointsDisabled: 5,
      },
      createdAt: NOW,
    });
  });

  it('returns null for a day without deliveries and disabled endpoints', () =>
    expect(digestOf(day)).to.equal(null));

  it('returns a digest if an endpoint was disabled and nothing was delivered', () => {
    expect(digestOf({ ...day, endpointsDisabled: 1 })).not.to.equal(null);
  });

  it('returns a digest if deliveries were held and nothing was delivered', () => {
    expect(digestOf({ ...day, deliveries: { ...NONE, held: 1 } })).to.not.equal(null);
  });

  it('has an id that depends only on workspace and day', () => {
    const idOf = (overrides: Partial<typeof day>) =>
      digestOf({ ...day, endpointsDisabled: 1, ...overrides })?.id;
    const id = idOf({});
    expect(idOf({ now: new Date('2026-03-02T23:59:00.000Z') })).to.equal(id);
    expect(idOf({ workspaceId: asId('workspace', 'ws_2') })).not.to.equal(id);
    expect(idOf({ from: new Date('2026-03-02T00:00:00.000Z') })).not.to.equal(id);
  });
});

describe('sendDigests', () => {
  /** Sends the digests of this many workspaces. */
  async function send(
    workspaces: number,
    {
      at = NOW,
      retentionMs = 30 * DAY_MS,
      /** Workspaces without deliveries. */
      idle = [] as string[],
      /** Days whose digests were sent to all workspaces. */
      sentDays = [] as string[],
      /** Workspaces whose digest a concurrent run sends. */
      raced = [] as string[],
      fail = (_workspaceId: string): Error | null => null,
      progress = null as DigestProgress | null,
      pageMs = 0,
    } = {},
  ) {
    const ids = Array.from({ length: workspaces }, (_, n) =>
      asId('workspace', `ws_${String(n).padStart(4, '0')}`),
    );
    const announced: Notification[] = [];
    const pages: string[] = [];
    const groups: (readonly string[])[] = [];
    const counting = { now: 0, most: 0 };
    let saved = progress;
    let now = at.getTime();
    const lines: object[] = [];
    const note = (facts: object) => lines.push(facts);
    const known = new Set(
      ids.flatMap((workspaceId) =>
        sentDays.map((day) => digestId(workspaceId, new Date(`${day}T00:00:00.000Z`))),
      ),
    );
    const store: DigestStore = {
      async workspaces({ after, limit, from }) {
        pages.push(`${from.toISOString().slice(5, 10)} ${after}`);
        now += pageMs;
        const page = ids.filter((id) => after === null || id > after).slice(0, limit);
        return page.map((id) => ({ id, isActive: !idle.includes(id) }));
      },
      progress: async () => saved,
      async saveProgress(progress) {
        saved = progress;
      },
      stored: async (wanted) => new Set(wanted.filter((id) => known.has(id))),
      async activityOf(workspaceIds) {
        groups.push(workspaceIds);
        counting.now += 1;
        counting.most = Math.max(counting.most, counting.now);
        await Promise.resolve();
        counting.now -= 1;
        for (const error of workspaceIds.map(fail)) if (error !== null) throw error;
        return workspaceIds.map((workspaceId) => {
          const deliveries = idle.includes(workspaceId) ? NONE : { ...NONE, delivered: 1 };
          return { workspaceId, deliveries, endpointsDisabled: 0 };
        });
      },
      async announce(notifications) {
        announced.push(...notifications);
        return notifications.filter(({ workspaceId }) => !raced.includes(workspaceId)).length;
      },
    };
    const outcome = await sendDigests({
      store,
      // The database's clock is corrected during the run.
      clock: { now: () => at },
      monotonicMs: () => now,
      retentionMs,
      budgetMs: 60_000,
      isDatabaseAway: (error) => error === AWAY,
      log: { debug: note, info: note, warn: note, error: note },
    }).catch((error: Error) => error);
    const days = announced.map(({ data }) => (data as { day: string }).day);
    const notified = announced.map(({ workspaceId }) => workspaceId);
    const [result, isFinished] =
      outcome instanceof Error ? [outcome, false] : [outcome.handled, outcome.isFinished];
    return { result, isFinished, notified, days, ids, lines, pages, groups, saved, maxAtOnce: counting.most };
  }
  const AWAY = new Error('no server');
  const WEEK = ['02-23', '02-24', '02-25', '02-26', '02-27', '02-28', '03-01'].map((day) => `2026-${day}`);
  const BEFORE = WEEK.slice(0, -1);

  it('sends one digest to each of many workspaces', async () => {
    for (const workspaces of [0, 1, 99, 100, 101, 250]) {
      const { result, notified, ids } = await send(workspaces, { sentDays: BEFORE });
      expect(result).to.equal(workspaces);
      expect(notified).to.deep.equal(ids);
    }
  });

  it('handles workspaces in groups, four at a time', async () => {
    const { groups, maxAtOnce } = await send(130, { sentDays: BEFORE });
    expect(groups.map(({ length }) => length)).to.deep.equal([20, 20, 20, 20, 20, 20, 10]);
    expect(maxAtOnce).to.equal(4);
  });

  it('reports yesterday by UTC at any time of the day', async () => {
    for (const at of ['2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z'])
      expect((await send(1, { at: new Date(at), sentDays: BEFORE })).days).to.deep.equal(['2026-03-01']);
  });

  it('sends missed digests of up to a week, the oldest first', async () => {
    expect((await send(1)).days).to.deep.equal(WEEK);
    expect((await send(1, { sentDays: ['2026-02-26', '2026-03-01'] })).days).to.deep.equal(
      WEEK.filter((day) => day !== '2026-02-26' && day !== '2026-03-01'),
    );
    expect((await send(2, { sentDays: WEEK })).result).to.equal(0);
  });

  it('sends no digest for days beyond the retention, but always one for yesterday', async () => {
    expect((await send(1, { retentionMs: 3 * DAY_MS })).days).to.deep.equal(['2026-02-28', '2026-03-01']);
    expect((await send(1, { retentionMs: 1 })).days).to.deep.equal(['2026-03-01']);
  });

  it('sends no digest for days without activity', async () => {
    const { notified } = await send(3, { idle: ['ws_0001'], sentDays: BEFORE });
    expect(notified).to.deep.equal(['ws_0000', 'ws_0002']);
  });

  it('counts only digests that no concurrent run has sent', async () => {
    expect((await send(3, { raced: ['ws_0002'], sentDays: BEFORE })).result).to.equal(2);
  });

  it('sends the other digests when one workspace fails, logs it and rejects', async () => {
    const fail = (id: string) => (id === 'ws_0000' ? new Error('too large') : null);
    const { result, notified, lines } = await send(3, { fail, sentDays: BEFORE });
    expect(notified).to.deep.equal(['ws_0001', 'ws_0002']);
    expect(lines[0]).to.deep.include({ event: 'digest.failed', workspaceId: 'ws_0000' });
    expect(lines[1]).to.include({ event: 'digest.done', sent: 2, failed: 1 });
    expect(result).to.be.an('error').with.property('message', 'workspaces without a digest: 1');
  });

  it('stops while the database is unavailable, and stores no progress', async () => {
    const progress = { day: FROM, after: null };
    const { result, notified, groups, saved } = await send(100, {
      fail: (id) => (id === 'ws_0021' ? AWAY : null),
      progress,
    });
    expect(result).to.equal(AWAY);
    expect(notified).to.include('ws_0000').and.not.to.include('ws_0021');
    expect(groups).to.have.length(4);
    expect(saved).to.deep.equal(progress);
  });

  it('does not count workspaces in which nothing happened', async () => {
    const { groups } = await send(3, { idle: ['ws_0000', 'ws_0002'], sentDays: BEFORE });
    expect(groups).to.deep.equal([['ws_0001']]);
  });

  it('does not read the days again that earlier runs handled', async () => {
    const { saved, pages } = await send(1, { sentDays: BEFORE });
    expect(pages).to.have.length(7);
    expect(saved).to.deep.equal({ day: new Date('2026-03-02T00:00:00.000Z'), after: null });
    expect((await send(1, { progress: saved })).pages).to.deep.equal([]);
    const nextDay = new Date(NOW.getTime() + DAY_MS);
    expect((await send(1, { progress: saved, at: nextDay })).pages).to.deep.equal(['03-02 null']);
  });

  it('stops when its time is up, and continues where it was', async () => {
    const progress = { day: FROM, after: null };
    const first = await send(350, { progress, pageMs: 40_000 });
    expect([first.result, first.isFinished]).to.deep.equal([200, false]);
    expect(first.saved).to.deep.equal({ day: FROM, after: 'ws_0199' });
    expect(first.lines.at(-1)).to.include({ event: 'digest.unfinished' });
    const second = await send(350, { progress: first.saved });
    expect(second.pages[0]).to.equal('03-01 ws_0199');
    expect([second.result, second.isFinished]).to.deep.equal([150, true]);
  });

  it('handles the day of a failed workspace again', async () => {
    const fail = (id: string) => (id === 'ws_0000' ? new Error('too large') : null);
    const { saved } = await send(2, { fail, progress: { day: FROM, after: null } });
    expect(saved).to.deep.equal({ day: FROM, after: null });
  });
});

describe('daysToReport', () => {
  it('begin where deliveries are kept since the beginning of the day', () => {
    const twoDays = NOW.getTime() - FROM.getTime() + DAY_MS;
    expect(daysToReport(NOW, twoDays)).to.deep.equal([new Date(FROM.getTime() - DAY_MS), FROM]);
    expect(daysToReport(NOW, twoDays - 1)).to.deep.equal([FROM]);
  });
});
