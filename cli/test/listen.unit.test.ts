import { mock } from 'node:test';
import { expect } from 'chai';
import { chooseSecret } from '../src/commands/choose-secret.js';
import { createForward } from '../src/commands/forward.js';
import { inParallel } from '../src/commands/in-parallel.js';
import { isWanted } from '../src/commands/is-wanted.js';
import { reportInterruptions } from '../src/commands/report-interruptions.js';
import { toForward } from '../src/commands/to-forward.js';
import { runIn, startFakeApi } from './fake-api.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

describe('what listen forwards', () => {
  it('is chosen by names and prefixes, as endpoints choose it', () => {
    const wanted = (...patterns: string[]) => isWanted('invoice.paid', patterns);
    expect([wanted(), wanted('*'), wanted('invoice.*'), wanted('a', 'invoice.paid')]).to.not.include(false);
    expect([wanted('invoice'), wanted('invoice.p'), wanted('inv.*')]).to.not.include(true);
  });

  it('is each event, or each new delivery that is going to be sent, with its payload', () => {
    const event = { eventId: 'evt_1', eventType: 'invoice.paid', occurredAt: '', payload: { a: 1 } };
    expect(toForward({ type: 'event.published', id: '1', data: event } as never)).to.deep.equal({
      id: 'evt_1',
      eventType: 'invoice.paid',
      payload: { a: 1 },
    });
    const delivery = { deliveryId: 'whd_1', eventType: 'invoice.paid', payload: { a: 1 }, status: 'pending' };
    expect(toForward({ type: 'delivery.created', id: '1', data: delivery } as never)?.id).to.equal('whd_1');
    expect(toForward({ type: 'delivery.ended', id: '1', data: delivery } as never)).to.equal(null);
    const held = { ...delivery, status: 'failed_permanent', failureReason: 'endpoint_disabled' };
    expect(toForward({ type: 'delivery.created', id: '1', data: held } as never)).to.equal(null);
  });
});

describe('the signing secret of listen', () => {
  it('is that of --secret, else WEBHOOK_SECRET, else a new one each time', () => {
    expect(chooseSecret(secretOf(1), { WEBHOOK_SECRET: secretOf(2) })).to.equal(secretOf(1));
    expect(chooseSecret(undefined, { WEBHOOK_SECRET: secretOf(2) })).to.equal(secretOf(2));
    for (const WEBHOOK_SECRET of ['', undefined, `whpk_${Buffer.alloc(32, 3).toString('base64')}`]) {
      const [first, second] = [0, 1].map(() => chooseSecret(undefined, { WEBHOOK_SECRET }));
      expect(first)
        .to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
        .and.not.to.equal(second);
    }
  });
});

describe('listen with a portal link that is limited to endpoints', () => {
  // Regression: the api refused the stream, and the advice was to check the address and the token.
  it('asks for one of them', async () => {
    const api = await startFakeApi(() => ({ body: {} }), { endpointIds: ['whe_1', 'whe_2'] });
    const env = { POSTRIDER_URL: api.url, POSTRIDER_TOKEN: 'ptl_1' };
    const { code, err } = await runIn({ env }, 'listen', '--forward', 'http://localhost:3000/hook');
    api.stop();
    expect(err).to.deep.equal([
      'InvalidRequest: this portal link is limited to some endpoints, and shows no other events.',
      'Give one of them with --endpoint: whe_1, whe_2.',
    ]);
    expect(code).to.equal(2);
  });
});

describe('the receiver to which listen forwards', () => {
  // Regression: for localhost, which often has two addresses, it was "fetch failed".
  it('is reported with the reason if it cannot be reached', async () => {
    const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:3000`));
    const failed = new TypeError('fetch failed', { cause: new AggregateError(refused) });
    const broken = mock.method(globalThis, 'fetch', () => Promise.reject(failed));
    const url = 'http://localhost:3000/hook';
    const forward = createForward({ url, secret: secretOf(1), now: () => new Date() });
    const { problem } = await forward({ id: 'evt_1', eventType: 'invoice.paid', payload: {} });
    broken.mock.restore();
    expect(problem).to.equal('connect ECONNREFUSED ::1:3000');
  });
});

describe('an interrupted stream', () => {
  // Regression: nothing was printed while it was not connected, as when nothing happens.
  it('is reported once, with the reason where there is one, and when it is connected again', () => {
    const lines: string[] = [];
    const { onOpen, onDisconnect } = reportInterruptions({ printError: (line) => lines.push(line) });
    const broken = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    onOpen();
    onDisconnect({ error: null, lastContactAt: null });
    onDisconnect({ error: broken, lastContactAt: null });
    onOpen();
    onOpen();
    onDisconnect({ error: broken, lastContactAt: null });
    expect(lines).to.deep.equal([
      'The connection is lost; trying again.',
      'Connected again.',
      'The connection is lost; trying again. Unreachable: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });
});

describe('inParallel', () => {
  it('handles all items, at most as many at the same time as the limit', async () => {
    let now = 0;
    let most = 0;
    const handled: number[] = [];
    const items = async function* () {
      for (let n = 0; n < 20; n += 1) yield n;
    };
    await inParallel(items(), 3, async (n) => {
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      handled.push(n);
      now -= 1;
    });
    expect(handled).to.have.length(20);
    expect(most).to.be.within(1, 3);
  });
});
