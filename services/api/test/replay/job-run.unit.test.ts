import { endJob, type HeldPeriod, handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { HoldCause } from '@postrider/shared/domain/sending-hold';
import { aTerminalDelivery, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { aReplayJob } from '@postrider/shared/testing/replay-job-builders';
import { expect } from 'chai';
import type { ReplayBatch, ReplayJobStore } from '../../src/ports/replay-jobs.js';
import { createBatchStarts } from '../../src/replay/batch-starts.js';
import { createJobRun } from '../../src/replay/job-run.js';
import { createRateBudget, type RateBudget } from '../../src/replay/rate-budget.js';

/** A job run in virtual time, with a store in memory whose matched deliveries all are to be replayed. */
function runOf({
  matched,
  rate,
  isHeld = () => false,
  holdCause = 'outage',
  isUnsent = () => false,
  expired = 0,
  batchMs = 15,
  slices = 1,
  sliceMs = 0,
  held,
  arrived = () => matched,
  notStored,
  processBudget,
}: {
  matched: number;
  rate: number;
  isHeld?: (ms: number) => boolean;
  holdCause?: HoldCause;
  /** Whether no replay has been sent yet. */
  isUnsent?: (ms: number) => boolean;
  /** The first so many matched deliveries have expired. */
  expired?: number;
  /** How long a transaction takes. */
  batchMs?: number;
  /** The matching deliveries are counted in so many slices. */
  slices?: number;
  /** How long a slice takes. */
  sliceMs?: number;
  held?: HeldPeriod;
  /** The matched deliveries that are there, if more arrive. */
  arrived?: (ms: number) => number;
  /** How batches end, none of which is stored. */
  notStored?: () => Promise<null>;
  processBudget?: RateBudget;
}) {
  let now = 0;
  const states: { at: number; job: ReplayJob }[] = [];
  const rests: { from: number; until: number }[] = [];
  const batches: { at: number; lookedAt: number; replayed: number }[] = [];
  const delivery = aTerminalDelivery('dead_lettered');
  let wakeAt = 0;
  let slicesLeft = slices;
  const noted = (job: ReplayJob) => {
    states.push({ at: now, job });
    return job;
  };
  const store: ReplayJobStore = {
    claim: async () => null,
    nextWaiting: async () => null,
    reload: async (job) => job,
    renew: async (job, status) => noted({ ...job, status }),
    async count(job) {
      now += sliceMs;
      slicesLeft -= 1;
      return noted(slicesLeft > 0 ? { ...job, status: 'counting' } : { ...job, matched, status: 'running' });
    },
    countArrivals: async (job) => noted({ ...job, matched: arrived(now) }),
    replay: async (job, limit, decide): Promise<ReplayBatch | null> => {
      now += batchMs;
      if (notStored !== undefined) return notStored();
      const first = handledBy(job);
      const ids = Array.from({ length: Math.min(limit, job.matched - first) }, (_, n) =>
        idFor('delivery', `${first + n}`),
      );
      const matchedNow = ids.map((id, n) => ({
        id,
        delivery: first + n < expired ? null : delivery,
        payloadBytes: 100,
        endpoint: { enabled: true, deletedAt: null },
        isReplayed: false,
      }));
      const { sourceIds, plan } = decide(job, matchedNow);
      const batch = plan(sourceIds.map((id) => ({ ...delivery, id })));
      batches.push({ at: now, lookedAt: limit, replayed: batch.replays.length });
      noted(batch.job);
      return batch;
    },
    end: async (job, status) => noted(endJob(job, status, later(now))),
    release: async () => true,
    async rest(_job, until) {
      wakeAt = until.getTime() - NOON.getTime();
      rests.push({ from: now, until: wakeAt });
    },
    lastUnsent: async () => [],
    unsentOf: async (_, ids) => new Set(isUnsent(now) ? ids : []),
    forget: async () => {},
  };
  const monotonicMs = () => now;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const job = aReplayJob({ ratePerSecond: rate, ...(held && { held }) });
  const newRun = () =>
    createJobRun(
      {
        store,
        sendingHolds: async () => (isHeld(now) ? [{ cause: holdCause, since: null }] : []),
        clock: { now: () => later(now) },
        processBudget: processBudget ?? createRateBudget(2_000, monotonicMs),
        batchStarts: createBatchStarts({ monotonicMs, sleep }),
        monotonicMs,
        sleep,
      },
      job,
    );
  return {
    states,
    batches,
    rests,
    newRun,
    /** Runs the job until it ends; another process continues it after each rest. */
    async toEnd() {
      let step = newRun();
      let current = job;
      while (current.endedAt === null) {
        const next = await step(current);
        current = next ?? states.at(-1)!.job;
        if (next !== null) continue;
        now = wakeAt;
        step = newRun();
      }
      return { job: current, tookMs: now };
    },
  };
}

describe('run of a replay job', () => {
  for (const [matched, rate] of [
    [30, 1],
    [40, 2],
    [60, 3],
    [100, 5],
    [200, 10],
    [300, 15],
    [400, 20],
    [500, 25],
    [600, 30],
    [700, 34],
    [500, 50],
    [10_000, 200],
    [10_000, 1_000],
  ] as const) {
    it(`replays ${matched} deliveries at ${rate}/s within a tenth, and stores its progress within 2 s`, async () => {
      const run = runOf({ matched, rate });
      const { job, tookMs } = await run.toEnd();
      expect(job).to.include({ status: 'succeeded', matched, replayed: matched });
      expect(matched / (tookMs / 1_000)).to.be.within(rate * 0.9, rate * 1.1);
      const gaps = run.states.slice(1).map(({ at }, index) => at - run.states[index]!.at);
      expect(Math.max(...gaps)).to.be.below(2_000);
    });
  }

  for (const [rate, most] of [
    [1, 1],
    [50, 11],
    [100, 21],
    [200, 41],
    [400, 41],
    [1_000, 51],
  ] as const) {
    it(`spreads ${rate} replays a second: batches of at most ${most}, and looks at no more deliveries than those`, async () => {
      const run = runOf({ matched: 4 * rate, rate });
      await run.toEnd();
      expect(Math.max(...run.batches.map(({ replayed }) => replayed))).to.be.at.most(most);
      for (const { lookedAt } of run.batches) expect(lookedAt).to.be.at.most(most);
      const gaps = run.batches.slice(1).map(({ at }, index) => at - run.batches[index]!.at);
      expect(Math.min(...gaps)).to.be.at.least(50);
    });
  }

  for (const [sliceMs, gap] of [
    [200, 400],
    [3_500, 4_500],
  ] as const) {
    it(`renews its lease every ${gap} ms while it counts in slices of ${sliceMs} ms`, async () => {
      const run = runOf({ matched: 1, rate: 50, slices: 4, sliceMs });
      await run.toEnd();
      const counted = run.states.slice(0, 4).map(({ at }) => at);
      expect(counted.slice(1).map((at, index) => at - counted[index]!)).to.deep.equal([gap, gap, gap]);
    });
  }

  it('keeps the rate while transactions take long', async () => {
    const run = runOf({ matched: 4_000, rate: 200, batchMs: 800 });
    const { tookMs } = await run.toEnd();
    expect(4_000 / (tookMs / 1_000)).to.be.within(180, 220);
  });

  it('passes what it skips in ever larger batches, and replays the rest at its rate', async () => {
    const run = runOf({ matched: 20_200, expired: 20_000, rate: 50 });
    const { job, tookMs } = await run.toEnd();
    expect(job).to.include({ replayed: 200 });
    expect(job.skipped).to.include({ expired: 20_000 });
    expect(tookMs).to.be.within(4_000, 6_500);
    expect(Math.max(...run.batches.map(({ lookedAt }) => lookedAt))).to.be.at.most(1_000);
    expect(run.batches.at(-1)!.lookedAt).to.be.at.most(13);
  });

  it('is paused while sending is held, replays nothing then, and continues afterwards', async () => {
    const run = runOf({ matched: 100, rate: 50, isHeld: (ms) => ms > 500 && ms < 5_000 });
    expect((await run.toEnd()).job).to.include({ status: 'succeeded', replayed: 100 });
    const during = run.states.filter(({ at }) => at > 1_000 && at < 5_000);
    expect(new Set(during.map(({ job }) => job.status))).to.deep.equal(new Set(['paused']));
    expect(new Set(during.map(({ job }) => job.replayed))).to.have.property('size', 1);
  });

  it('continues while the clock of a dispatcher is wrong', async () => {
    const run = runOf({ matched: 100, rate: 50, isHeld: () => true, holdCause: 'clock' });
    expect((await run.toEnd()).job).to.include({ status: 'succeeded', replayed: 100 });
  });

  it('waits while a thousand of its replays to an endpoint have not been sent', async () => {
    const run = runOf({ matched: 3_000, rate: 500, isUnsent: (ms) => ms < 10_000 });
    const { job, tookMs } = await run.toEnd();
    expect(job).to.include({ status: 'succeeded', replayed: 3_000 });
    expect(tookMs).to.be.above(10_000);
    const early = run.states.filter(({ at }) => at < 10_000).map(({ job }) => job.replayed);
    expect(Math.max(...early)).to.be.within(1_000, 1_050);
  });

  // Regression: jobs that fail or are cancelled slowed down the others of their process.
  it('leaves the replays of a batch that is not stored to the other jobs of the process', async () => {
    const cancelled = async () => null;
    const failed = () => Promise.reject(new Error('the connection was closed'));
    for (const notStored of [cancelled, failed]) {
      let [started, used] = [0, 0];
      const processBudget = {
        take(most: number) {
          started += most;
          used += most;
          return most;
        },
        giveBack(count: number) {
          used -= count;
        },
      };
      const run = runOf({ matched: 1_000, rate: 1_000, notStored, processBudget });
      const step = run.newRun();
      const counted = { ...aReplayJob({ ratePerSecond: 1_000 }), matched: 1_000, status: 'running' } as const;
      for (let steps = 0; steps < 3; steps += 1) await step(counted).catch(() => {});
      expect(started).to.be.above(0);
      expect(used).to.equal(0);
    }
  });

  it('looks for late rows less often as time passes', async () => {
    const run = runOf({ matched: 0, rate: 50, held: { since: NOON, until: later(600_000) } });
    const { tookMs } = await run.toEnd();
    expect(tookMs).to.be.within(600_000, 605_000);
    const distances = run.rests.map(({ from, until }) => until - from);
    expect(distances[0]).to.equal(5_000);
    expect(Math.max(...distances)).to.be.within(60_000, 150_000);
    expect(distances.length).to.be.within(15, 25);
  });

  it('does not wait for late rows of a deleted endpoint, none of which is replayed', async () => {
    const held = { since: NOON, until: later(600_000) };
    const run = runOf({ matched: 3, rate: 50, held });
    const job = { ...aReplayJob({ held }), status: 'running', matched: 3, replayed: 1 } as const;
    const ended = await run.newRun()({ ...job, skipped: { ...job.skipped, endpointDeleted: 2 } });
    expect(ended).to.include({ status: 'succeeded', matched: 3 });
  });

  it('gives up its lease between two looks for late rows, replays them, and ends when none can arrive', async () => {
    const run = runOf({
      matched: 100,
      rate: 50,
      held: { since: NOON, until: later(60_000) },
      arrived: (ms) => (ms < 30_000 ? 100 : 120),
    });
    const { job, tookMs } = await run.toEnd();
    expect(job).to.include({ status: 'succeeded', matched: 120, replayed: 120 });
    expect(tookMs).to.be.within(60_000, 66_000);
    expect(run.rests.length).to.be.within(6, 13);
    const restedMs = run.rests.reduce((sum, { from, until }) => sum + until - from, 0);
    expect(restedMs).to.be.above(50_000);
  });
});
