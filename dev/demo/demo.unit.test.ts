import { expect } from 'chai';
import { openWorkspace } from '../start/run-admin.js';
import { consoleAddress } from './console-address.js';
import type { DeliveredOnce } from './deliver-once.js';
import { describeDemo } from './describe-demo.js';

describe('output of the demo', () => {
  const servers = {
    apiUrl: 'http://127.0.0.1:8080',
    metricsUrls: ['http://m:1/metrics', 'http://m:2/metrics', 'http://m:3/metrics'],
    kafkaBrokers: ['k:1'],
    mongodbUri: 'mongodb://m',
    schemaRegistryUrl: 'http://r',
  };
  const failed = { status: 'failed', httpStatus: null, failureReason: 'timeout', durationMs: 10_000 };
  const delivered = { status: 'delivered', httpStatus: 200, failureReason: null, durationMs: 12 };
  const attempts = [
    { ordinal: 1, attemptedAt: '2026-01-01T10:00:00.200Z', ...failed },
    { ordinal: 2, attemptedAt: '2026-01-01T10:00:40.201Z', ...delivered },
  ];
  const event = { eventId: 'evt_1', occurredAt: '2026-01-01T10:00:00.123Z' };
  const delivery = {
    deliveryId: 'whd_1',
    eventType: 'billing.plan_changed',
    payload: { ...event, previousPlan: 'free', plan: 'team' },
    status: 'delivered',
    attempts: 2,
  };
  const once = { endpointId: 'whe_1', delivery, attempts } as unknown as DeliveredOnce;

  it('describes the event, the delivery and its attempts', () => {
    expect(describeDemo(servers, once)).to.include(
      [
        '  event      10:00:00.123  billing.plan_changed  evt_1  (free → team)',
        '  delivery   whd_1  delivered after 2 attempts',
        '  attempt 1  10:00:00.200  timeout in 10000 ms  failed',
        '  attempt 2  10:00:40.201  HTTP 200 in 12 ms  delivered',
        '  receiver   signature verified ✓ with the rotated secret',
      ].join('\n'),
    );
  });

  it('describes the delivery of a custom event where there was one', () => {
    const own = { eventType: 'invoice.paid', eventId: 'evt_2', status: 'delivered' };
    const both = {
      ...once,
      own: { ...own, createdAt: '2026-01-01T10:00:41.000Z' },
    } as unknown as DeliveredOnce;
    expect(describeDemo(servers, both)).to.include(
      '  your own   10:00:41.000  invoice.paid  evt_2  delivered, signature verified ✓',
    );
    expect(describeDemo(servers, once)).to.not.include('your own');
  });

  it('lists the addresses, without a receiver where there is none', () => {
    expect(describeDemo(servers, undefined))
      .to.include('http://127.0.0.1:8080/openapi.json')
      .and.include(
        'http://m:1/metrics  http://m:2/metrics  http://m:3/metrics   (api, dispatcher, dlq-consumer)',
      )
      .and.not.include('receiver');
  });

  it('ends with commands that can be pasted as they are', () => {
    const demo = {
      consoleUrl: consoleAddress('http://c', 'prt_x'),
      token: 'prt_x',
      endpointId: 'whe_1',
      receiverUrl: 'http://127.0.0.1:9',
    };
    const lines = describeDemo({ ...servers, ...demo }, undefined).split('\n');
    const commands = lines.filter((line) => line.startsWith('  curl '));
    expect(lines).to.include('  console    http://c/console/#token=prt_x   (signed in)');
    expect(commands).to.have.length(3);
    expect(lines.at(-1)).to.match(
      /^ {2}POSTRIDER_URL=\S+ POSTRIDER_TOKEN=prt_x npx postrider listen --forward /,
    );
    expect(commands.join('\n')).not.to.match(/[<>{]\w+[>}]/);
  });
});

describe('opening the workspace of the demo', () => {
  const answering = (failure?: string) => async (args: readonly string[]) => {
    if (args[0] === 'token') return '{"id": "tok_1", "token": "prt_1"}\n';
    if (failure !== undefined) throw new Error(failure);
    return '';
  };

  it('returns a new token', async () => {
    expect(await openWorkspace('demo', {}, answering())).to.equal('prt_1');
  });

  it('reuses an existing workspace', async () => {
    const admin = answering('error: the slug "demo" is taken by workspace ws_1');
    expect(await openWorkspace('demo', {}, admin)).to.equal('prt_1');
  });

  it('fails for any other reason', async () => {
    const error = await openWorkspace('demo', {}, answering('no database')).catch((reason: Error) => reason);
    expect((error as Error).message).to.equal('no database');
  });
});
