import { expect } from 'chai';
import { SYSTEM } from '../../src/domain/audit-event.js';
import {
  countSkipped,
  endJob,
  handledBy,
  heldReplayJob,
  newReplayJob,
  type ReplayFilter,
  type ReplaySource,
  skipReason,
} from '../../src/domain/replay-job.js';
import { ENDPOINT_ID, idFor, later, NOON, TRACE_ID, WORKSPACE_ID } from '../../src/testing/builders.js';

const FILTER: ReplayFilter = {
  endpointId: null,
  statuses: ['failed', 'dead_lettered'],
  eventTypes: null,
  failureReasons: null,
  createdAfter: NOON,
  createdBefore: later(1_000),
  includeReplayed: false,
};
const SOURCE: ReplaySource = {
  delivery: {
    status: 'dead_lettered',
    nextAttemptAt: null,
    eventType: 'billing.plan_changed',
    failureReason: 'retries_exhausted',
    lastAttempt: { failureReason: 'tls' },
  },
  endpoint: { enabled: true, deletedAt: null },
  isReplayed: false,
};
const withDelivery = (change: object): ReplaySource => ({
  ...SOURCE,
  delivery: { ...SOURCE.delivery!, ...change },
});

const facts = { id: idFor('replayJob', 'job'), workspaceId: WORKSPACE_ID, actor: SYSTEM, traceId: TRACE_ID };
const JOB = newReplayJob({ ...facts, filter: FILTER, dryRun: false, ratePerSecond: 50, createdAt: NOON });

describe('replay job', () => {
  it('replays a source that is as it was matched', () => {
    expect(skipReason(FILTER, SOURCE)).to.equal(null);
  });

  const SKIPPED: readonly (readonly [string, ReplaySource, string])[] = [
    ['that no longer exists', { ...SOURCE, delivery: null }, 'expired'],
    ['in another state', withDelivery({ status: 'delivered' }), 'changed'],
    ['that is due for a retry', withDelivery({ status: 'failed', nextAttemptAt: NOON }), 'changed'],
    ['that was replayed', { ...SOURCE, isReplayed: true }, 'alreadyReplayed'],
    [
      'of a disabled endpoint',
      { ...SOURCE, endpoint: { enabled: false, deletedAt: null } },
      'endpointDisabled',
    ],
    ['of a deleted endpoint', { ...SOURCE, endpoint: { enabled: true, deletedAt: NOON } }, 'endpointDeleted'],
    ['of an endpoint that is gone', { ...SOURCE, endpoint: null }, 'endpointDeleted'],
  ];
  for (const [what, source, reason] of SKIPPED) {
    it(`skips a source ${what}: ${reason}`, () => {
      expect(skipReason(FILTER, source)).to.equal(reason);
    });
  }

  it('skips a source whose reason is no longer one of those asked for', () => {
    expect(skipReason({ ...FILTER, failureReasons: ['dns'] }, SOURCE)).to.equal('changed');
    expect(skipReason({ ...FILTER, lastFailureReasons: ['dns'] }, SOURCE)).to.equal('changed');
    expect(skipReason({ ...FILTER, lastFailureReasons: ['dns', 'tls'] }, SOURCE)).to.equal(null);
    const unsent = withDelivery({ lastAttempt: null });
    expect(skipReason({ ...FILTER, lastFailureReasons: ['tls'] }, unsent)).to.equal('changed');
    expect(skipReason({ ...FILTER, eventTypes: ['api_token.created'] }, SOURCE)).to.equal('changed');
  });

  it('replays a replayed source again if it includes those', () => {
    expect(skipReason({ ...FILTER, includeReplayed: true }, { ...SOURCE, isReplayed: true })).to.equal(null);
  });

  it('ends with totals that add up, except a dry run, which keeps its count', () => {
    const running = { ...JOB, matched: 10, replayed: 3, skipped: { ...JOB.skipped, changed: 1 } };
    expect(handledBy(running)).to.equal(4);
    expect(endJob(running, 'cancelled', NOON)).to.include({ matched: 4, status: 'cancelled', endedAt: NOON });
    expect(endJob(running, 'succeeded', NOON).matched).to.equal(4);
    expect(endJob({ ...JOB, matched: 10, dryRun: true }, 'succeeded', NOON).matched).to.equal(10);
    expect(endJob({ ...JOB, matched: 10, dryRun: true }, 'cancelled', NOON).matched).to.equal(0);
  });

  it('adds the sources that it would skip now to those it skipped, by reason', () => {
    const job = { filter: FILTER, skipped: { ...JOB.skipped, expired: 4 } };
    const gone = { ...SOURCE, delivery: null };
    const sources = [SOURCE, gone, gone, { ...SOURCE, endpoint: null }];
    expect(countSkipped(job, sources)).to.deep.equal({ ...JOB.skipped, expired: 6, endpointDeleted: 1 });
    expect(job.skipped.expired, 'of the given job').to.equal(4);
  });

  it('for what was held replays all of the period that was not replayed, however old', () => {
    const period = {
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      since: NOON,
      enabledAt: later(60_000),
    };
    expect(heldReplayJob(period, facts).filter).to.deep.include({
      statuses: ['failed_permanent'],
      eventTypes: null,
      createdAfter: new Date(0),
      createdBefore: later(60_000),
      includeReplayed: false,
    });
  });

  it('for what was held waits ten minutes for rows of the period', () => {
    const period = {
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      since: NOON,
      enabledAt: later(60_000),
    };
    const job = heldReplayJob(period, facts);
    expect(job.held).to.deep.equal({ since: NOON, until: later(660_000) });
    expect(job.filter).to.deep.include({ endpointId: ENDPOINT_ID, failureReasons: ['endpoint_disabled'] });
    expect(job).to.include({ status: 'counting', dryRun: false });
  });
});
