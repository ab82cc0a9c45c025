import type { components } from '@postrider/client';
import { expect } from 'chai';
import { jobProgress } from '../src/replays/job-progress.js';

type ReplayJob = components['schemas']['ReplayJob'];

const STARTED = '2026-03-01T09:30:00.000Z';
const NOW = Date.parse('2026-03-01T09:30:10.000Z');

const job = (facts: Partial<ReplayJob>) =>
  ({
    status: 'running',
    dryRun: false,
    matched: 40,
    replayed: 19,
    skipped: { alreadyReplayed: 1, endpointDisabled: 0, endpointDeleted: 0, expired: 0, changed: 0 },
    startedAt: STARTED,
    endedAt: null,
    ...facts,
  }) as ReplayJob;

describe('progress of a replay job', () => {
  it('counts what was replayed or skipped, and its speed since the start', () => {
    expect(jobProgress(job({}), NOW)).to.deep.equal({
      done: 20,
      percent: 50,
      perSecond: 2,
      isWaiting: false,
    });
    expect(jobProgress(job({ status: 'counting', matched: null, startedAt: null }), NOW)).to.include({
      percent: null,
      perSecond: null,
      isWaiting: false,
    });
  });

  // Regression: it was that of the deliveries that a replay would skip.
  it('has no speed where deliveries are only counted', () => {
    const counted = job({
      dryRun: true,
      status: 'succeeded',
      replayed: 0,
      endedAt: '2026-03-01T09:30:20.000Z',
    });
    expect(jobProgress(counted, NOW)).to.include({ perSecond: null, isWaiting: false });
  });

  // Regression: for ten minutes such a job looked as if it were sending ever more slowly.
  it('has no speed while the job only waits for late deliveries', () => {
    expect(jobProgress(job({ replayed: 39 }), NOW)).to.deep.equal({
      done: 40,
      percent: 100,
      perSecond: null,
      isWaiting: true,
    });
    const ended = job({ replayed: 39, status: 'succeeded', endedAt: '2026-03-01T09:30:20.000Z' });
    expect(jobProgress(ended, NOW)).to.include({ perSecond: 2, isWaiting: false });
    expect(jobProgress(job({ replayed: 39, status: 'paused' }), NOW)).to.include({ isWaiting: false });
  });
});
