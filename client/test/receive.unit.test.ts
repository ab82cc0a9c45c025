import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import fastify from 'fastify';
import { expressReceiver } from '../examples/receive-express.js';
import { fastifyReceiver } from '../examples/receive-fastify.js';
import { fetchReceiver } from '../examples/receive-fetch.js';
import { type HandleDelivery, Webhook } from '../src/index.js';

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const BODY = '{"deliveryId": "whd_1", "eventType": "billing.plan_changed", "payload": {"plan": "team é"}}';

interface Receiver {
  readonly post: (headers: Record<string, string>, body: string | null) => Promise<number>;
  readonly stop: () => Promise<void>;
}

const posting = (url: string) => async (headers: Record<string, string>, body: string | null) =>
  (await fetch(url, { method: 'POST', headers, body })).status;

const RECEIVERS: Readonly<Record<string, (handle: HandleDelivery) => Promise<Receiver>>> = {
  async express(handle) {
    const app = express().use(expressReceiver(SECRET, handle));
    // Without it Express writes the error to standard error.
    app.set('env', 'test');
    const server = createServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      post: posting(`http://127.0.0.1:${port}/hook`),
      stop: async () => void server.close(),
    };
  },
  async fastify(handle) {
    const app = fastify();
    await app.register(fastifyReceiver(SECRET, handle));
    return {
      post: posting(`${await app.listen({ host: '127.0.0.1', port: 0 })}/hook`),
      stop: () => app.close(),
    };
  },
  async fetch(handle) {
    const receiver = fetchReceiver(SECRET, handle);
    return {
      post: async (headers, body) => {
        const request = new Request('http://127.0.0.1/hook', { method: 'POST', headers, body });
        return receiver(request).then(
          ({ status }) => status,
          () => 500,
        );
      },
      stop: async () => {},
    };
  },
};

function signed(body = BODY) {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('whd_1', now, body),
  };
}

describe('the receiver with Express 4', () => {
  const receiveWith = async (handle: HandleDelivery, body: unknown) => {
    const call = expressReceiver(SECRET, handle).stack[0]!.route!.stack.at(-1)!.handle;
    const results: unknown[] = [];
    const response = { sendStatus: (status: number) => results.push(status) };
    await call({ headers: signed(), body } as never, response as never, (error) => results.push(error));
    return results;
  };

  // Regression: nothing handled the rejection, which ended the process.
  it('passes an error on, because only Express 5 handles a rejection', async () => {
    const problem = new Error('the database is down');
    const handle = () => Promise.reject(problem);
    expect(await receiveWith(handle, Buffer.from(BODY))).to.deep.equal([problem]);
  });

  it('answers 400 to a request without a body, for which there is an empty object', async () => {
    expect(await receiveWith(async () => {}, {})).to.deep.equal([400]);
  });
});

for (const [name, start] of Object.entries(RECEIVERS)) {
  describe(`the receiver with ${name}`, () => {
    const stored: unknown[] = [];
    let isDown = false;
    let receiver: Receiver;
    before(async () => {
      receiver = await start(async (delivery) => {
        if (isDown) throw new Error('the database is down');
        stored.push(delivery);
      });
    });
    after(() => receiver.stop());

    it('hands a genuine delivery on and answers 204', async () => {
      expect(await receiver.post(signed(), BODY)).to.equal(204);
      expect(stored).to.deep.equal([JSON.parse(BODY)]);
    });

    it('accepts an event of 256 KiB', async () => {
      const body = BODY.replace('team', 'x'.repeat(256 * 1_024));
      expect(await receiver.post(signed(body), body)).to.equal(204);
      expect(stored.splice(1)).to.have.length(1);
    });

    it('answers 400 to a changed or missing body and to missing headers', async () => {
      expect(await receiver.post(signed(), BODY.replace('team', 'free'))).to.equal(400);
      expect(await receiver.post(signed(), null)).to.equal(400);
      expect(await receiver.post({ 'content-type': 'application/json' }, BODY)).to.equal(400);
      expect(stored).to.have.length(1);
    });

    it('answers 500 when the delivery cannot be stored', async () => {
      isDown = true;
      expect(await receiver.post(signed(), BODY)).to.equal(500);
    });
  });
}
