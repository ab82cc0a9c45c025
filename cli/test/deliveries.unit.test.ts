import type { StreamOptions } from '@postrider/client';
import { expect } from 'chai';
import { followDeliveries } from '../src/commands/follow-deliveries.js';
import { showDelivery, showTimeline } from '../src/commands/show-delivery.js';
import { createOutput } from '../src/context/output.js';
import { type Answers, refusal, runAgainst } from './fake-api.js';

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
    expect(err).to.deep.equal(['Only the newest 50 are listed: use --limit COUNT to list more.']);
    expect((await list(items, '--limit', '3')).err).to.deep.equal([]);
    expect((await list(items, '--limit', '60')).out).to.have.length(51);
    expect((await list(items.slice(1))).err).to.deep.equal([]);
  });

  it('reads no page beyond the limit', async () => {
    const pages: (string | null)[] = [];
    const answers: Answers = (_, { searchParams }) => {
      pages.push(searchParams.get('limit'));
      const items = Array.from({ length: Number(searchParams.get('limit')) }, () => HELD);
      return { body: { items, nextCursor: `c${pages.length}` } };
    };
    for (const [limit, expected] of [
      ['200', ['200']],
      ['400', ['200', '200']],
      ['3', ['3']],
    ] as const) {
      pages.length = 0;
      const { out } = await runAgainst(answers, 'deliveries', '--limit', limit);
      expect([out.length, pages]).to.deep.equal([Number(limit), expected]);
    }
  });

  // Regression: all were kept with their payloads, and nothing was printed before the last page.
  it('prints each page as soon as it arrives, and says by its exit code that one is missing', async () => {
    const answers: Answers = (_, { searchParams }) =>
      searchParams.has('cursor')
        ? refusal('Internal', 500)
        : { body: { items: [HELD, { ...HELD, deliveryId: 'whd_2' }], nextCursor: 'c1' } };
    for (const format of [[], ['--json']]) {
      const { code, out, err } = await runAgainst(answers, 'deliveries', '--limit', '1000', ...format);
      expect(out.map((line) => /whd_\d/.exec(line)?.[0])).to.deep.equal(['whd_1', 'whd_2']);
      expect([code, err[0]]).to.deep.equal([1, 'Internal: No.']);
    }
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

  it('selects by the reason of the last attempt, or by one that only a delivery has', async () => {
    const asked: object[] = [];
    const answers: Answers = (_, { searchParams }) => {
      const { limit: _limit, ...conditions } = Object.fromEntries(searchParams);
      asked.push(conditions);
      return { body: { items: [], nextCursor: null } };
    };
    await runAgainst(answers, 'deliveries', '--reason', 'tls,dns');
    await runAgainst(answers, 'deliveries', '--reason', 'dns', '--reason', 'tls');
    await runAgainst(answers, 'deliveries', '--reason', 'endpoint_disabled');
    expect(asked).to.deep.equal([
      { lastFailureReason: 'dns,tls' },
      { lastFailureReason: 'dns,tls' },
      { failureReason: 'endpoint_disabled' },
    ]);
  });

  it('refuses reasons that do not exist, that exclude each other, and those of a stream', async () => {
    for (const [args, message] of [
      [['--reason', 'tls,certificate'], 'Give some of http_status, timeout'],
      [['--reason', 'tls,retries_exhausted'], 'retries_exhausted cannot be combined with the other reasons'],
      [['--follow', '--reason', 'tls'], '--follow cannot be combined with --reason'],
    ] as const) {
      const { code, err } = await list([], ...args);
      expect(code, args.join(' ')).to.equal(2);
      expect(err.join('\n')).to.include(message);
    }
  });

  it('shows why there is no TLS connection', async () => {
    const lastAttempt = { httpStatus: null, failureReason: 'tls', errorDetail: 'expired' };
    const failed = { ...HELD, status: 'dead_lettered', failureReason: 'retries_exhausted', lastAttempt };
    expect((await list([failed])).out[0]!.split('\t')[4]).to.equal('tls (expired)');
    const attempt = {
      ...lastAttempt,
      status: 'failed',
      ordinal: 1,
      attemptedAt: HELD.createdAt,
      durationMs: 12,
    };
    const reached = { ...attempt, remoteAddress: '192.0.2.7', responseBody: null };
    expect(showTimeline([reached as never])).to.deep.equal([
      '  1. +0 s  failed  tls (expired), 12 ms, 192.0.2.7',
    ]);
  });

  it('keeps the status of the api in JSON', async () => {
    const { out } = await list([HELD], '--json');
    expect(JSON.parse(out[0]!)).to.deep.equal(HELD);
  });
});

describe('postrider deliveries --follow', () => {
  const change = (type: string, deliveryId: string, more: object) => ({
    type,
    id: '1',
    data: { ...HELD, at: HELD.createdAt, failureReason: null, httpStatus: null, ...more, deliveryId },
  });
  const delivered = { status: 'delivered', attempts: 1, httpStatus: 200 };
  const failed = { status: 'failed', attempts: 7, httpStatus: 503, failureReason: 'http_status' };
  const CHANGES = [
    change('delivery.created', 'whd_1', { status: 'pending' }),
    change('delivery.attempted', 'whd_1', delivered),
    change('delivery.created', 'whd_2', { failureReason: 'endpoint_disabled' }),
    change('delivery.ended', 'whd_1', delivered),
    change('delivery.ended', 'whd_2', { failureReason: 'endpoint_disabled' }),
    change('delivery.attempted', 'whd_3', failed),
    change('delivery.ended', 'whd_3', { ...failed, status: 'dead_lettered' }),
    change('delivery.ended', 'whd_4', delivered),
  ];

  const follow = async (format: 'json' | 'text') => {
    const lines: string[] = [];
    const errors: string[] = [];
    const terminal = {
      isInteractive: false,
      print: (line: string) => void lines.push(line),
      printError: (line: string) => void errors.push(line),
      note: () => {},
      paint: (_: string, text: string) => text,
    };
    const stream = async function* (_: object, { onDisconnect }: StreamOptions) {
      yield* CHANGES;
      onDisconnect?.({ error: null, lastContactAt: null });
    };
    const output = createOutput({ terminal, format });
    const context = { terminal, output, connect: async () => ({ client: { stream } }) };
    await followDeliveries(context as never, { filter: {}, statuses: undefined });
    expect(errors).to.deep.equal(['The connection is lost; trying again.']);
    return lines;
  };

  // Regression: each end followed the same line for the attempt.
  it('shows for people an end only where it differs from the line before', async () => {
    const shown = (await follow('text')).map((line) => line.split('\t').slice(1, 3).join(' '));
    expect(shown).to.deep.equal([
      'whd_1 pending',
      'whd_1 delivered',
      'whd_2 held',
      'whd_3 failed',
      'whd_3 dead_lettered',
      'whd_4 delivered',
    ]);
  });

  it('prints every change as JSON', async () => {
    expect(await follow('json')).to.have.length(CHANGES.length);
  });
});
