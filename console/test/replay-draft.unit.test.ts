import { expect } from 'chai';
import { draftOf, dryRunOf, examplesOf, isComplete, jobOf } from '../src/replays/replay-draft.js';

const NOW = Date.parse('2026-03-02T09:30:00.000Z');

describe('draft of a replay', () => {
  it('takes over the filters of the table, and only statuses that can be replayed', () => {
    const draft = draftOf({
      endpointId: 'whe_1',
      status: 'delivered,dead_lettered',
      eventType: 'invoice.paid',
    });
    expect(dryRunOf(draft, NOW)).to.deep.equal({
      endpointId: 'whe_1',
      eventTypes: ['invoice.paid'],
      statuses: ['dead_lettered'],
      createdAfter: '2026-01-31T09:30:00.000Z',
      includeReplayed: false,
      ratePerSecond: 50,
      dryRun: true,
    });
  });

  // Regression: it had the last 24 hours of two statuses, although the table showed more.
  it('is about all that the table shows, and otherwise about what has ended in the last 24 hours', () => {
    expect(draftOf({ endpointId: 'whe_1' })).to.deep.include({
      statuses: ['failed_permanent', 'dead_lettered', 'failed'],
      period: '720',
    });
    expect(draftOf({})).to.deep.include({ statuses: ['failed_permanent', 'dead_lettered'], period: '24' });
  });

  it('names an endpoint where the token sees some only', () => {
    const [one, two] = [['whe_1'], ['whe_1', 'whe_2']];
    expect(draftOf({}, one)).to.include({ endpointId: 'whe_1' });
    expect(draftOf({ endpointId: 'whe_2' }, two)).to.include({ endpointId: 'whe_2' });
    expect(draftOf({}, two)).to.include({ endpointId: '' });
    expect([isComplete(draftOf({}, two), two), isComplete(draftOf({}, one), one)]).to.deep.equal([
      false,
      true,
    ]);
    expect(isComplete(draftOf({}), null)).to.equal(true);
  });

  it('keeps given times exactly', () => {
    for (const [createdAfter, createdBefore] of [
      ['2026-03-01T09:30:00.000Z', '2026-03-01T10:00:00.000Z'],
      ['2026-03-01T09:30:05.000Z', '2026-03-01T10:00:59.123Z'],
    ] as const) {
      const draft = draftOf({ createdAfter, createdBefore });
      expect(dryRunOf(draft, NOW)).to.include({ createdAfter, createdBefore });
    }
  });

  it('is limited by an end alone, for which the api then asks the begin', () => {
    const createdBefore = '2026-03-01T10:00:00.000Z';
    const draft = draftOf({ createdBefore });
    expect(draft.period).to.equal('custom');
    expect(dryRunOf(draft, NOW)).to.include({ createdAfter: '', createdBefore });
  });

  it('takes over several reasons, such as those of another job', () => {
    const draft = draftOf({ failureReason: 'timeout,dns' });
    expect(dryRunOf(draft, NOW).failureReasons).to.deep.equal(['timeout', 'dns']);
    const last = draftOf({ lastFailureReason: 'timeout,dns' });
    expect(dryRunOf(last, NOW)).to.deep.include({ lastFailureReasons: ['timeout', 'dns'] });
    expect(dryRunOf(last, NOW)).not.to.have.property('failureReasons');
  });

  it('passes a time that it cannot read on, so that the api explains it', () => {
    const draft = { ...draftOf({}), period: 'custom', createdAfter: 'soon' } as const;
    expect(dryRunOf(draft, NOW).createdAfter).to.equal('soon');
  });

  it('replays and lists exactly what the dry run has counted', () => {
    const filter = {
      endpointId: null,
      eventTypes: ['invoice.paid'],
      failureReasons: null,
      lastFailureReasons: null,
      statuses: ['failed_permanent' as const, 'dead_lettered' as const],
      createdAfter: '2026-03-01T09:30:00.000Z',
      createdBefore: '2026-03-02T09:30:00.000Z',
      includeReplayed: false,
    };
    const { endpointId: _, failureReasons: __, lastFailureReasons: ___, ...given } = filter;
    expect(jobOf(filter, 10)).to.deep.equal({ ...given, ratePerSecond: 10 });
    expect(examplesOf(filter)).to.deep.equal({
      createdAfter: filter.createdAfter,
      createdBefore: filter.createdBefore,
      status: 'failed_permanent,dead_lettered',
      eventType: 'invoice.paid',
    });
  });

  it('keeps the reasons of the last attempt that another client has asked for', () => {
    const filter = {
      endpointId: null,
      eventTypes: null,
      failureReasons: null,
      lastFailureReasons: ['tls' as const, 'dns' as const],
      statuses: ['dead_lettered' as const],
      createdAfter: '2026-03-01T09:30:00.000Z',
      createdBefore: '2026-03-02T09:30:00.000Z',
      includeReplayed: false,
    };
    expect(jobOf(filter, 10).lastFailureReasons).to.deep.equal(['tls', 'dns']);
    expect(examplesOf(filter)).to.include({ lastFailureReason: 'tls,dns' });
  });
});
