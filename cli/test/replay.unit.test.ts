import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { type Answers, refusal, runAgainst, runWatched } from './fake-api.js';

/** Replays of these ids are refused; the others are sent again. */
const refusing =
  (refused: Readonly<Record<string, ReturnType<typeof refusal>>>): Answers =>
  (_, { pathname }) => {
    const id = pathname.split('/').at(-2)!;
    return refused[id] ?? { status: 202, body: { deliveryId: `${id}_again` } };
  };

describe('postrider replay with several ids', () => {
  it('tries all, reports each and exits with the code of the first failure', async () => {
    const answers = refusing({
      whd_1: refusal('DeliveryNotFound', 404),
      whd_3: refusal('DeliveryNotReplayable', 409),
    });
    const { code, out, err } = await runAgainst(answers, 'replay', 'whd_1', 'whd_2', 'whd_3', 'whd_4');
    expect(code).to.equal(4);
    expect(out).to.deep.equal(['whd_2 is sent again as whd_2_again', 'whd_4 is sent again as whd_4_again']);
    expect(err.slice(0, 2)).to.deep.equal(['whd_1 is not sent again:', 'DeliveryNotFound: No.']);
    expect(err.slice(4, 6)).to.deep.equal(['whd_3 is not sent again:', 'DeliveryNotReplayable: No.']);
  });

  it('ends with a failure that concerns all of them, and names those that were not tried', async () => {
    const answers = refusing({ whd_2: refusal('Forbidden', 403) });
    const { code, out, err } = await runAgainst(answers, 'replay', 'whd_1', 'whd_2', 'whd_3', 'whd_4');
    expect(code).to.equal(3);
    expect(out).to.deep.equal(['whd_1 is sent again as whd_1_again']);
    expect(err[1]).to.equal('Forbidden: No.');
    expect(err.at(-1)).to.equal('Not tried: whd_3 whd_4');
  });

  it('begins the error of a single id with its tag', async () => {
    const answers = refusing({ whd_1: refusal('DeliveryNotFound', 404) });
    const { code, err } = await runAgainst(answers, 'replay', 'whd_1');
    expect(code).to.equal(4);
    expect(err[0]).to.equal('DeliveryNotFound: No.');
  });
});

describe('postrider replay --failed', () => {
  const NONE = { alreadyReplayed: 0, endpointDisabled: 0, endpointDeleted: 0, expired: 0, changed: 0 };
  const JOB = { jobId: 'rpl_1', status: 'succeeded', dryRun: true, matched: 9, replayed: 0, skipped: NONE };

  it('counts by reason what would be skipped', async () => {
    const skipped = { ...NONE, alreadyReplayed: 3, endpointDeleted: 1 };
    const args = ['replay', '--failed', '--since', '24h', '--dry-run'];
    const { code, out } = await runAgainst(() => ({ status: 202, body: { ...JOB, skipped } }), ...args);
    expect(code).to.equal(0);
    expect(out).to.deep.equal([
      '9 deliveries match. 4 of them would be skipped:',
      '  alreadyReplayed: 3',
      '  endpointDeleted: 1',
      'Nothing was sent.',
    ]);
    const all = await runAgainst(() => ({ status: 202, body: JOB }), ...args);
    expect(all.out).to.deep.equal(['9 deliveries match.', 'Nothing was sent.']);
    const one = await runAgainst(() => ({ status: 202, body: { ...JOB, matched: 1 } }), ...args);
    expect(one.out).to.deep.equal(['1 delivery matches.', 'Nothing was sent.']);
  });

  // Regression: whoever interrupted the command kept a terminal that cut off long lines, and did not know the job.
  it('shows the id of the job beside its progress, and leaves the wrapping of lines to the terminal', async () => {
    const bar = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const answers: Answers = (method) =>
      method === 'POST'
        ? { status: 202, body: { ...JOB, dryRun: false, status: 'running', endedAt: null } }
        : { body: { ...JOB, dryRun: false, replayed: 9, endedAt: '2026-03-01T12:00:01.000Z' } };
    const { code } = await runWatched(bar, answers, 'replay', '--failed', '--since', '24h');
    bar.end();
    const shown = await text(bar);
    expect(code).to.equal(0);
    expect(shown).to.match(/rpl_1 \S+ 0 %, 0 of 9 deliveries/);
    expect(shown).not.to.include('\u001b[?7');
  });

  // Regression: without a terminal the job was not named, although it continues.
  it('names the job that continues when waiting for it fails', async () => {
    const running = { ...JOB, dryRun: false, status: 'running', endedAt: null };
    const answers: Answers = (method) =>
      method === 'POST' ? { status: 202, body: running } : refusal('Unauthorized', 401);
    const { code, out, err } = await runAgainst(answers, 'replay', '--failed', '--since', '24h');
    expect([code, out, err[0]]).to.deep.equal([3, [], 'Unauthorized: No.']);
    expect(err.at(-1)).to.equal('rpl_1 continues. Look at it with `postrider replay-jobs get rpl_1`.');
  });

  it('names no job if none was started', async () => {
    const { code, err } = await runAgainst(
      () => refusal('TooManyReplayJobs', 409),
      ...['replay', '--failed', '--since', '24h'],
    );
    expect([code, err[0]]).to.deep.equal([1, 'TooManyReplayJobs: No.']);
    expect(err.join('\n')).not.to.include('continues');
  });
});
