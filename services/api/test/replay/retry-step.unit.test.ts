import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import { aReplayJob } from '@postrider/shared/testing/replay-job-builders';
import { expect } from 'chai';
import { retryStep } from '../../src/replay/retry-step.js';

const JOB = aReplayJob();
const STORED: ReplayJob = { ...JOB, replayed: 7 };
const FAILED = new Error('failed');
const AWAY = new Error('the database is away');

/** Takes steps with these results, each with the job that the one before it returned. */
async function run(results: readonly (Error | 'done')[], stored: ReplayJob | null = STORED) {
  const world = { given: [] as ReplayJob[], ended: [] as string[], pauses: [] as number[] };
  const pending = [...results];
  const step = retryStep(
    {
      store: {
        reload: async () => stored,
        end: async (job, status) => {
          world.ended.push(status);
          return { ...job, status };
        },
      },
      sleep: async (ms) => world.pauses.push(ms),
      isDatabaseAway: (error) => error === AWAY,
      log: { warn() {}, error() {} } as never,
    },
    async (job) => {
      world.given.push(job);
      const result = pending.shift();
      if (result instanceof Error) throw result;
      return job;
    },
  );
  let job: ReplayJob | null = JOB;
  for (const _ of results) if (job !== null) job = await step(job);
  return { ...world, job };
}

describe('retryStep', () => {
  it('takes the step again a second after a failure, with the job as it is stored', async () => {
    const { given, pauses, job } = await run(['done', FAILED, 'done', 'done']);
    expect(given).to.deep.equal([JOB, JOB, STORED, STORED]);
    expect(pauses).to.deep.equal([1_000]);
    expect(job).to.deep.equal(STORED);
  });

  it('ends the job as failed after five failures in a row', async () => {
    const { ended, pauses, job } = await run(Array.from({ length: 5 }, () => FAILED));
    expect(ended).to.deep.equal(['failed']);
    expect(pauses).to.have.length(4);
    expect(job).to.include({ status: 'failed', replayed: 7 });
  });

  it('counts neither failures before a success nor those of a database that is away', async () => {
    const four = Array.from({ length: 4 }, () => FAILED);
    expect((await run([...four, 'done', ...four])).ended).to.deep.equal([]);
    expect((await run([...four, AWAY, AWAY])).ended).to.deep.equal([]);
    expect((await run([...four, AWAY, FAILED])).ended).to.deep.equal(['failed']);
  });

  it('returns a job that has ended as it is stored, takes no step of it and does not end it again', async () => {
    const ended: ReplayJob = { ...STORED, status: 'succeeded' };
    const { given, job } = await run([FAILED, 'done'], ended);
    expect(given).to.deep.equal([JOB]);
    expect(job).to.deep.equal(ended);
    const failing = await run(
      Array.from({ length: 5 }, () => FAILED),
      ended,
    );
    expect([failing.ended, failing.job]).to.deep.equal([[], ended]);
  });

  it('takes no step of a job of which another process has the lease, and does not end it', async () => {
    const { given, job } = await run([FAILED, 'done'], null);
    expect(given).to.deep.equal([JOB]);
    expect(job).to.equal(null);
    const failing = await run(
      Array.from({ length: 5 }, () => FAILED),
      null,
    );
    expect([failing.ended, failing.job]).to.deep.equal([[], null]);
  });
});
