import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createReceiver } from './receive.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({
  deliveryId: 'whd_1',
  eventType: 'billing.plan_changed',
  payload: { plan: 'team' },
});
/** As large as an event that is published over REST may be. */
const LARGE_BODY = JSON.stringify({ ...JSON.parse(BODY), payload: { text: 'x'.repeat(256 * 1_024) } });

describe("the receiving guide's receiver", () => {
  const inbox = new Map<string, unknown>();
  let server: Server;

  const post = async (headers: Record<string, string>, body: string | null = BODY) => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body });
    return response.status;
  };
  const signed = (secret: string, { at = new Date(), body = BODY } = {}) => ({
    'content-type': 'application/json',
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('whd_1', at, body),
  });

  before(async () => {
    const receiver = createReceiver(SECRET, {
      async add(id, delivery) {
        if (!inbox.has(id)) inbox.set(id, delivery);
      },
    });
    server = createServer(receiver);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => inbox.clear());
  after(() => server.close());

  it('is the code that the guide shows', () => {
    const [, code] = /^```ts\n([\s\S]*?)^```/m.exec(read('docs/receiving.md')) ?? [];
    expect(code).to.equal(read('test/receiving/receive.ts'));
  });

  it('stores a delivery once and answers 200 to each copy', async () => {
    expect(await post(signed(SECRET))).to.equal(200);
    expect(await post(signed(SECRET))).to.equal(200);
    expect([...inbox]).to.deep.equal([['whd_1', JSON.parse(BODY)]]);
  });

  it('accepts an event of 256 KiB', async () => {
    expect(await post(signed(SECRET, { body: LARGE_BODY }), LARGE_BODY)).to.equal(200);
  });

  const refused: Readonly<Record<string, () => Promise<number>>> = {
    'a signature made with another secret': () =>
      post(signed(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)),
    'a changed body': () => post(signed(SECRET), BODY.replace('team', 'free')),
    'a timestamp that is six minutes old': () => post(signed(SECRET, { at: new Date(Date.now() - 360_000) })),
    'a request without signature headers': () => post({ 'content-type': 'application/json' }),
    'a request without a body': () => post(signed(SECRET), null),
  };
  for (const [request, send] of Object.entries(refused)) {
    it(`answers 400 to ${request} and stores nothing`, async () => {
      expect(await send()).to.equal(400);
      expect(inbox.size).to.equal(0);
    });
  }
});
