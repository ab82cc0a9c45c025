import { expect } from 'chai';
import { showDelivery, showTimeline } from '../src/commands/show-delivery.js';
import { type Answers, runAgainst } from './fake-api.js';

const HELD = {
  deliveryId: 'whd_1',
  createdAt: '2026-03-01T12:00:00.000Z',
  status: 'failed_permanent',
  failureReason: 'endpoint_disabled',
  attempts: 0,
  lastAttempt: null,
  eventType: 'invoice.paid',
  endpointId: 'whe_1',
  eventId: 'evt_1',
  traceId: 'a'.repeat(32),
  nextAttemptAt: null,
  replayedBy: null,
};

const list = (items: readonly object[], ...args: readonly string[]) =>
  runAgainst(() => ({ body: { items, nextCursor: null } }), 'deliveries', ...args);

describe('postrider deliveries', () => {
  it('calls a delivery held that was not sent because its endpoint is disabled', async () => {
    const retried = { httpStatus: 503, failureReason: 'http_status' };
    const { out } = await list([HELD, { ...HELD, attempts: 2, lastAttempt: retried }]);
    const columns = out.map((line) => line.split('\t').slice(2, 5));
    expect(columns).to.deep.equal([
      ['held', '0', 'endpoint_disabled'],
      ['held', '2', '503'],
    ]);
    expect(showDelivery(HELD as never)[0]).to.equal('whd_1  held (endpoint_disabled)');
    const record = { ...HELD, ordinal: 1, attemptedAt: HELD.createdAt, httpStatus: null, durationMs: null };
    expect(showTimeline([{ ...record, remoteAddress: null, responseBody: null } as never])).to.deep.equal([
      '  1. +0 s  held  endpoint_disabled',
    ]);
  });

  it('shows the reason of a delivery that ended without an attempt', async () => {
    const { out } = await list([{ ...HELD, failureReason: 'endpoint_deleted' }]);
    expect(out[0]!.split('\t').slice(2, 5)).to.deep.equal(['failed_permanent', '0', 'endpoint_deleted']);
  });

  it('says that there are more than it shows, unless the caller set the limit', async () => {
    const items = Array.from({ length: 51 }, (_, n) => ({ ...HELD, deliveryId: `whd_${n}` }));
    const { out, err } = await list(items);
    expect(out).to.have.length(50);
    expect(err).to.deep.equal(['There are more than these 50: --limit COUNT shows more.']);
    expect((await list(items, '--limit', '3')).err).to.deep.equal([]);
    expect((await list(items, '--limit', '60')).out).to.have.length(51);
    expect((await list(items.slice(1))).err).to.deep.equal([]);
  });

  it('asks for those that failed for good, as replay --failed does, and for retried ones by a word of their own', async () => {
    const asked: (string | null)[] = [];
    const answers: Answers = (_, { searchParams }) => {
      asked.push(searchParams.get('status'));
      return { body: { items: [], nextCursor: null } };
    };
    for (const options of [['--failed'], ['--retrying'], ['--failed', '--retrying'], []]) {
      await runAgainst(answers, 'deliveries', ...options);
    }
    const failed = 'failed_permanent,dead_lettered';
    expect(asked).to.deep.equal([failed, 'failed', `failed,${failed}`, null]);
  });

  it('keeps the status of the api in JSON', async () => {
    const { out } = await list([HELD], '--json');
    expect(JSON.parse(out[0]!)).to.deep.equal(HELD);
  });
});
