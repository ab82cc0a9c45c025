import { Readable } from 'node:stream';
import { expect } from 'chai';
import { runAgainst, runIn, startFakeApi } from './fake-api.js';

const ENDPOINT = {
  id: 'whe_1',
  url: 'https://example.com/hook',
  eventTypes: ['*'],
  description: null,
  enabled: true,
  disabledReason: null,
  consecutiveFailures: 0,
  heldDeliveries: 0,
  headerNames: [],
  metadata: {},
  filter: null,
  ratePerSecond: null,
  signing: 'hmac-sha256',
  publicKey: null,
  recovery: 'manual',
};

describe('lists that are shown whole', () => {
  // Regression: each request returned 50, so that 10,000 endpoints took 200 requests of the 600 a minute.
  it('are read in pages of the maximum', async () => {
    const limits: (string | null)[] = [];
    for (const command of ['endpoints list', 'replay-jobs list', 'catalogue list', 'events explain evt_1']) {
      await runAgainst(
        (_, { searchParams }) => {
          limits.push(searchParams.get('limit'));
          return { body: { items: [], nextCursor: null } };
        },
        ...command.split(' '),
      );
    }
    expect(limits).to.deep.equal(['200', '200', '200', '200']);
  });
});

describe('postrider endpoints get', () => {
  it('shows what others wrote without characters that a terminal would execute', async () => {
    const description = 'a\u001b]52;c;eA==\u0007\u001b[2J\n  url  https://good.example \u202e';
    const endpoint = { ...ENDPOINT, description, metadata: { tier: '\u009b2J' } };
    const get = (...options: readonly string[]) =>
      runAgainst(() => ({ body: endpoint }), 'endpoints', 'get', 'whe_1', ...options);
    const { out } = await get();
    expect(out.join('')).not.to.match(/\p{Cc}|\p{Bidi_Control}/u);
    expect(out).to.include(
      '  description  a\\u001b]52;c;eA==\\u0007\\u001b[2J\\n  url  https://good.example \\u202e',
    );
    const json = (await get('--json')).out.join('');
    expect(json).not.to.match(/\p{Cc}|\p{Bidi_Control}/u);
    expect(JSON.parse(json)).to.deep.equal(endpoint);
  });
});

describe('postrider endpoints update', () => {
  const update = async (answer: object) =>
    (await runAgainst(() => ({ body: answer }), 'endpoints', 'update', 'whe_1', '--enable', '--replay-held'))
      .out;

  it('names the replay job that sends what was held', async () => {
    expect((await update({ ...ENDPOINT, replayJobId: 'rpl_1' })).at(-1)).to.equal(
      '  replay job rpl_1 sends what was held',
    );
    expect((await update(ENDPOINT)).at(-1)).to.include('held deliveries');
  });
});

describe('postrider endpoints create', () => {
  it('sends nothing if the value of a header is no text', async () => {
    const api = await startFakeApi(() => ({ body: ENDPOINT }));
    const { code, err } = await runIn(
      {
        env: { POSTRIDER_URL: api.url, POSTRIDER_TOKEN: 'prt_1' },
        stdin: Readable.from(['{"x-key": ["secret"]}']),
      },
      ...['endpoints', 'create', 'https://example.com/hook', '--event-types', '*', '--headers', '-'],
    );
    api.stop();
    expect([code, api.authorizations]).to.deep.equal([2, []]);
    expect(err).to.deep.equal([
      'InvalidRequest: the value of header "x-key" in standard input is no text.',
      'Give a JSON string.',
    ]);
  });
});
