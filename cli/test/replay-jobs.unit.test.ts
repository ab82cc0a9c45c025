import { expect } from 'chai';
import { refusal, runAgainst } from './fake-api.js';

const NONE = { alreadyReplayed: 0, endpointDisabled: 0, endpointDeleted: 0, expired: 0, changed: 0 };
const JOB = {
  jobId: 'rpl_1',
  status: 'running',
  dryRun: false,
  matched: 9,
  replayed: 4,
  skipped: NONE,
  createdAt: '2026-03-01T12:00:00.000Z',
};

describe('postrider replay-jobs', () => {
  it('lists the jobs of all pages', async () => {
    const counting = { ...JOB, jobId: 'rpl_2', status: 'counting', dryRun: true, matched: null, replayed: 0 };
    const { code, out } = await runAgainst(
      (_, { searchParams }) => ({
        body: searchParams.has('cursor')
          ? { items: [counting], nextCursor: null }
          : { items: [JOB], nextCursor: 'c1' },
      }),
      'replay-jobs',
      'list',
    );
    expect(code).to.equal(0);
    expect(out).to.deep.equal([
      'rpl_1\t2026-03-01T12:00:00.000Z\trunning\t9\t4',
      'rpl_2\t2026-03-01T12:00:00.000Z\tcounting (dry run)\t–\t0',
    ]);
  });

  it('shows a job, also before its deliveries are counted', async () => {
    const get = (job: object) => runAgainst(() => ({ body: job }), 'replay-jobs', 'get', 'rpl_1');
    expect((await get(JOB)).out).to.deep.equal([
      'rpl_1 running: 4 of 9 deliveries were replayed, 0 were skipped.',
    ]);
    expect((await get({ ...JOB, matched: null })).out).to.deep.equal([
      'rpl_1 running: the deliveries are not counted yet.',
    ]);
  });

  it('cancels a job', async () => {
    const calls: string[] = [];
    const { code, out } = await runAgainst(
      (method, { pathname }) => {
        calls.push(`${method} ${pathname}`);
        return { body: { ...JOB, status: 'cancelled' } };
      },
      'replay-jobs',
      'cancel',
      'rpl_1',
    );
    expect(calls).to.deep.equal(['POST /webhooks/replay-jobs/rpl_1/cancel']);
    expect(out).to.deep.equal(['rpl_1 cancelled: 4 of 9 deliveries were replayed, 0 were skipped.']);
    expect(code).to.equal(0);
  });

  it('says how to find a job that there is not, and that one has ended', async () => {
    const cancel = (tag: string, status: number) =>
      runAgainst(() => refusal(tag, status), 'replay-jobs', 'cancel', 'rpl_1');
    const missing = await cancel('ReplayJobNotFound', 404);
    expect([missing.code, missing.err[1]]).to.deep.equal([
      4,
      'List the jobs with `postrider replay-jobs list`.',
    ]);
    const ended = await cancel('ReplayJobEnded', 409);
    expect([ended.code, ended.err[1]]).to.deep.equal([1, 'Look at it with `postrider replay-jobs get ID`.']);
  });
});
