import { setImmediate as turn } from 'node:timers/promises';
import { endJob, kindOfJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import { idFor, NOON } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { aReplayJob } from '@postrider/shared/testing/replay-job-builders';
import { expect } from 'chai';
import type { ReplayJobStore } from '../../src/ports/replay-jobs.js';
import { createBatchStarts } from '../../src/replay/batch-starts.js';
import { createRateBudget } from '../../src/replay/rate-budget.js';
import { startReplayRunner } from '../../src/replay/start-runner.js';
import { recordedLog } from '../recorded-log.js';

const JOB = aReplayJob();
const OTHER_JOB = aReplayJob({ id: idFor('replayJob', 'other') });
const NEVER = Number.POSITIVE_INFINITY;

interface RunnerOptions {
  readonly pollEveryMs?: number;
  readonly forget?: () => Promise<void>;
  /** Replaces methods of the store. */
  readonly replaced?: Partial<ReplayJobStore>;
}

/** A runner in virtual time whose store has one job, the lease of which is always expired. */
function runnerOf(
  count: (job: ReplayJob, store: (stored: ReplayJob) => void) => Promise<ReplayJob>,
  { pollEveryMs = 2_000, forget = async () => {}, replaced = {} }: RunnerOptions = {},
) {
  let now = 0;
  const state = { stored: JOB, claims: 0, polls: 0, released: 0, forgotten: 0 };
  const save = (job: ReplayJob) => {
    state.stored = job;
  };
  const active = () => (state.stored.endedAt === null ? state.stored : null);
  const store: ReplayJobStore = {
    async claim(running) {
      state.polls += 1;
      const job = active();
      if (job === null || running.includes(job.id)) return null;
      state.claims += 1;
      return job;
    },
    nextWaiting: async (running) =>
      running.includes(JOB.id) ? null : { workspaceId: JOB.workspaceId, kind: kindOfJob(JOB) },
    reload: async () => state.stored,
    renew: async () => active(),
    count: (job) => count(job, save),
    countArrivals: async () => active(),
    replay: async () => null,
    async end(job, status) {
      save(endJob(job, status, NOON));
      return state.stored;
    },
    async release() {
      state.released += 1;
      return active() !== null;
    },
    rest: async () => {},
    lastUnsent: async () => [],
    unsentOf: async () => new Set(),
    async forget() {
      state.forgotten += 1;
      await forget();
    },
    ...replaced,
  };
  const monotonicMs = () => now;
  const sleep = async (ms: number) => {
    if (ms === NEVER) return new Promise<void>(() => {});
    now += ms;
    await turn();
  };
  const log = recordedLog();
  const runner = startReplayRunner({
    store,
    sendingHolds: async () => [],
    clock: { now: () => NOON },
    processBudget: createRateBudget(2_000, monotonicMs),
    batchStarts: createBatchStarts({ monotonicMs, sleep }),
    monotonicMs,
    sleep,
    pollEveryMs,
    isDatabaseAway: () => false,
    log,
  });
  return { state, log, stop: () => runner.stop() };
}

describe('runner of replay jobs', () => {
  it('claims no job that it runs, though its lease expired during a step', async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const runner = runnerOf(async (job, store) => {
      await finished;
      store({ ...job, status: 'running' });
      return runner.state.stored;
    });
    await eventually(() => expect(runner.state.polls).to.be.above(20));
    expect(runner.state.claims).to.equal(1);
    finish();
    await eventually(() => expect(runner.state.stored.status).to.equal('succeeded'));
    await runner.stop();
  });

  it('claims a job that waits as soon as another one ends, not with the next poll', async () => {
    const runner = runnerOf(
      async (job, store) => {
        store(job.id === JOB.id ? OTHER_JOB : endJob(job, 'succeeded', NOON));
        return endJob(job, 'succeeded', NOON);
      },
      { pollEveryMs: NEVER },
    );
    await eventually(() => expect(runner.state.stored.endedAt).not.to.equal(null));
    expect(runner.state).to.deep.include({ claims: 2, stored: endJob(OTHER_JOB, 'succeeded', NOON) });
  });

  it('continues with the stored job after a step that was stored and failed', async () => {
    const runner = runnerOf(async (job, store) => {
      if (runner.state.stored !== job) throw new Error('these deliveries were counted before');
      store({ ...job, status: 'running' });
      throw new Error('the connection was closed before the answer');
    });
    await eventually(() => expect(runner.state.stored.endedAt).not.to.equal(null));
    expect(runner.state.stored.status).to.equal('succeeded');
    expect(runner.log.lines.map(({ facts }) => facts.event)).to.deep.equal(['replay_job.step_failed']);
    await runner.stop();
  });

  // Regression: it was logged that another process takes over the job, which had ended, and what it matched stayed for 180 days.
  it('removes what an ended job matched again after a failure, and reports only a second one', async () => {
    for (const failures of [1, 2]) {
      let left = failures;
      const ends = async (job: ReplayJob, store: (stored: ReplayJob) => void) => {
        store(endJob(job, 'succeeded', NOON));
        return runner.state.stored;
      };
      const forget = async () => {
        left -= 1;
        if (left >= 0) throw new Error('the connection was closed');
      };
      const runner = runnerOf(ends, { forget });
      await eventually(() => expect(runner.state.forgotten).to.equal(2));
      await runner.stop();
      const events = runner.log.lines.map(({ facts }) => facts.event);
      expect(events).to.deep.equal(failures === 1 ? [] : ['replay_job.matched_left']);
    }
  });

  it('removes what a job matched if it has ended though its last step failed', async () => {
    const runner = runnerOf(async (job, store) => {
      store(endJob(job, 'succeeded', NOON));
      throw new Error('the connection was closed before the answer');
    });
    await eventually(() => expect(runner.state.forgotten).to.equal(1));
    await runner.stop();
    expect(runner.state.stored.status).to.equal('succeeded');
    expect(runner.log.lines.map(({ facts }) => facts.event)).to.deep.equal(['replay_job.step_failed']);
  });

  // Regression: it stayed for 180 days.
  it('removes what a job matched if it has ended, its last step failed, and the process stops', async () => {
    let stopped = Promise.resolve();
    const runner = runnerOf(async (job, store) => {
      store(endJob(job, 'succeeded', NOON));
      stopped = runner.stop();
      throw new Error('the connection was closed before the answer');
    });
    await eventually(() => expect(runner.log.lines).to.have.length(1));
    await stopped;
    expect(runner.state.forgotten).to.equal(1);
  });

  it('removes nothing of a job that it gives up', async () => {
    let stopped = Promise.resolve();
    const runner = runnerOf(async (job, store) => {
      store({ ...job, status: 'running' });
      stopped = runner.stop();
      return runner.state.stored;
    });
    await eventually(() => expect(runner.state.stored.status).to.equal('running'));
    await stopped;
    expect(runner.state.forgotten).to.equal(0);
  });

  // Regression: no other process ran the job until the lease had expired.
  it('gives up the lease of a job that it claims while it stops', async () => {
    const answer = Promise.withResolvers<ReplayJob>();
    const runner = runnerOf(async (job) => job, { replaced: { claim: () => answer.promise } });
    const stopped = runner.stop();
    answer.resolve(JOB);
    await stopped;
    expect(runner.state.released).to.equal(1);
  });

  // Regression: each job that ended made it read all waiting jobs of a workspace, twice.
  it('searches beside a workspace at its limit with each poll, not whenever a job of it ends', async () => {
    const jobs = Array.from({ length: 100 }, (_, n) => aReplayJob({ id: idFor('replayJob', `${n}`) }));
    let searches = 0;
    const find = <Found>(exceptWorkspaces: readonly string[], found: Found) => {
      if (exceptWorkspaces.length === 0) return found;
      searches += 1;
      return null;
    };
    const runner = runnerOf(async (job) => endJob(job, 'succeeded', NOON), {
      pollEveryMs: NEVER,
      replaced: {
        claim: async (_, exceptWorkspaces = []) => find(exceptWorkspaces, jobs)?.shift() ?? null,
        nextWaiting: async (_, exceptWorkspaces = []) =>
          find(exceptWorkspaces, { workspaceId: JOB.workspaceId, kind: kindOfJob(JOB) }),
      },
    });
    await eventually(() => expect(jobs).to.have.length(0));
    await runner.stop();
    expect(searches).to.equal(1);
  });

  it('ends a job whose steps fail five times in a row as failed, with what is stored of it', async () => {
    const runner = runnerOf(async (job, store) => {
      store({ ...job, replayed: job.replayed + 1 });
      throw new Error('the connection was closed before the answer');
    });
    await eventually(() => expect(runner.state.stored.endedAt).not.to.equal(null));
    expect(runner.state.stored).to.include({ status: 'failed', replayed: 5 });
    await runner.stop();
  });
});
