import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { fetchJson } from '../typed-client.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

/** Sends eight concurrent requests, counts those that have reached the system, and posts their status lines. */
const CALL_EIGHT_TIMES = `
  const { connect } = require('node:net');
  const { text } = require('node:stream/consumers');
  const { parentPort, workerData: { port, sent } } = require('node:worker_threads');
  const call = async () => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write('GET /healthz HTTP/1.1\\r\\nhost: test\\r\\nconnection: close\\r\\n\\r\\n', () => {
      Atomics.add(sent, 0, 1);
      Atomics.notify(sent, 0);
    });
    return (await text(socket)).split('\\r\\n')[0];
  };
  parentPort.once('message', async () => {
    parentPort.postMessage(await Promise.all(Array.from({ length: 8 }, () => call().catch(String))));
  });
`;

describe('HTTP server', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await testApp();
  });
  afterEach(() => app.close());

  const request = (path = '/workspaces/acme/webhooks') =>
    fetchJson(`${app.origin}${path}`, { headers: { authorization: `Bearer ${SECRETS.admin}` } });

  async function open(): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(app.origin).port) });
    await once(socket, 'connect');
    return socket;
  }

  /** Everything that the server answers until it closes the connection. */
  async function answerTo(bytes: string): Promise<string> {
    const socket = await open();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = new Promise((resolve) => socket.once('error', () => {}).once('close', resolve));
    socket.write(bytes);
    await closed;
    return answer;
  }

  for (const [what, head] of [
    ['without a Host', ''],
    ['with an empty Host', 'host:\r\n'],
    ['with an unknown expectation', 'host: test\r\nexpect: foo\r\n'],
  ] as const) {
    it(`answers a request ${what} with a problem and a trace id`, async () => {
      const trace = '0af7651916cd43dd8448eb211c80319c';
      const traceparent = `traceparent: 00-${trace}-b7ad6b7169203331-01\r\n`;
      const answer = await answerTo(
        `GET /healthz HTTP/1.1\r\n${head}${traceparent}connection: close\r\n\r\n`,
      );
      const [headers = '', body = ''] = answer.split('\r\n\r\n');
      expect(headers)
        .to.match(/^HTTP\/1.1 400 /)
        .and.to.include('application/problem+json');
      expect(headers.toLowerCase()).to.include(`x-trace-id: ${trace}`);
      expect(JSON.parse(body)).to.include({ tag: 'InvalidRequest', status: 400, traceId: trace });
    });
  }

  // Regression: the router answered with HTML, without a trace id.
  for (const [target, status] of [
    ['http://?x', 404],
    ['foo://bar?x', 404],
    ['http://test/healthz?x', 200],
    ['http://xn--a/healthz', 200],
    ['*', 404],
  ] as const) {
    it(`answers a request for ${target} with a trace id and without HTML`, async () => {
      const answer = await answerTo(`GET ${target} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n`);
      const [headers = ''] = answer.split('\r\n\r\n');
      expect(headers).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(headers.toLowerCase())
        .to.include('x-trace-id: ')
        .and.to.match(status === 200 ? /json|text\/plain/ : /problem\+json/);
    });
  }

  it('serves HTTP/1.0 without a Host, and the expectation 100-continue', async () => {
    expect(await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1.1 200 /);
    const head = 'host: test\r\nexpect: 100-continue\r\nconnection: close\r\n';
    expect(await answerTo(`GET /healthz HTTP/1.1\r\n${head}\r\n`)).to.match(
      /^HTTP\/1.1 100 [\s\S]+HTTP\/1.1 200 /,
    );
  });

  it('responds with 413 to an endless body and closes the connection', async () => {
    const socket = await open();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const closed = new Promise((resolve) => socket.once('error', () => {}).once('close', resolve));
    const head = [
      'POST /workspaces/acme/webhooks HTTP/1.1',
      'host: test',
      `authorization: Bearer ${SECRETS.admin}`,
      'content-type: application/json',
      'transfer-encoding: chunked',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`;
    const sending = setInterval(() => socket.writable && socket.write(chunk), 1);
    await closed;
    clearInterval(sending);
    expect(answer)
      .to.match(/^HTTP\/1.1 413 /)
      .and.include('PayloadTooLarge');
    expect(app.ran).to.be.empty;
  });

  const POST_HEAD = `POST /workspaces/acme/webhooks HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${SECRETS.admin}\r\n`;

  it('responds with 415 to a body that is compressed by its transfer coding', async () => {
    for (const coding of ['gzip, chunked', 'GZIP,chunked', 'deflate, Chunked']) {
      const head = `content-type: application/json\r\ntransfer-encoding: ${coding}\r\nconnection: close\r\n`;
      expect(await answerTo(`${POST_HEAD}${head}\r\n2\r\n{}\r\n0\r\n\r\n`), coding)
        .to.match(/^HTTP\/1.1 415 /)
        .and.include('UnsupportedMediaType');
    }
    const chunked = 'content-type: application/json\r\ntransfer-encoding: Chunked\r\nconnection: close\r\n';
    expect(await answerTo(`${POST_HEAD}${chunked}\r\n2\r\n{}\r\n0\r\n\r\n`)).to.include('url is required');
    expect(app.ran).to.be.empty;
  });

  for (const [name, bytes] of [
    ['a request that is not HTTP', 'hello?\r\n\r\n'],
    ['a head that is too large', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
  ] as const) {
    it(`responds to ${name} with a problem and a trace id, and closes the connection`, async () => {
      expect(await answerTo(bytes))
        .to.match(/^HTTP\/1.1 400 /)
        .and.match(/x-trace-id: [0-9a-f]{32}/)
        .and.include('InvalidRequest');
    });
  }

  for (const [part, bytes, times] of [
    ['head', POST_HEAD, { headMs: 50, requestMs: 600_000 }],
    ['body', `${POST_HEAD}content-length: 10\r\n\r\n{`, { headMs: 50, requestMs: 50 }],
  ] as const) {
    it(`ends a request whose ${part} does not end`, async () => {
      await app.close();
      app = await testApp({ times: { ...times, checkEveryMs: 20 } });
      expect(await answerTo(bytes))
        .to.match(/^HTTP\/1.1 400 /)
        .and.include('too slow');
      expect(app.ran).to.be.empty;
    });
  }

  for (const [name, line, header] of [
    ['a trace', 'GET /healthz', 'traceparent: 00-aa\rx-injected: 1'],
    ['a folded trace', 'GET /healthz', 'traceparent: 00-aa\r\n x-injected: 1'],
    ['a trace with a NUL', 'GET /healthz', 'traceparent: 00-\u0000x-injected: 1'],
    ['a slug', 'GET /workspaces/a%0d%0ax-injected:%201/webhooks', 'accept: */*'],
    ['an id', 'GET /workspaces/acme/webhooks/a%0d%0ax-injected:%201', 'accept: */*'],
    ['a method', 'X-INJECTED:%0d%0a /healthz', 'accept: */*'],
    ['a page size', 'GET /workspaces/acme/webhooks?limit=1%0d%0ax-injected:%201', 'accept: */*'],
    ['a key', 'POST /workspaces/acme/webhooks/whe_1/test-event', 'idempotency-key: a\rx-injected: 1'],
    ['a client address', 'GET /workspaces/acme/webhooks', 'x-forwarded-for: 1.1.1.1\rx-injected: 1'],
  ] as const) {
    it(`prevents header injection by ${name}`, async () => {
      const bearer = `authorization: Bearer ${SECRETS.admin}`;
      const answer = await answerTo(
        `${line} HTTP/1.1\r\nhost: test\r\n${bearer}\r\nconnection: close\r\n${header}\r\n\r\n`,
      );
      const [head = ''] = answer.split('\r\n\r\n');
      expect(head)
        .to.match(/^HTTP\/1.1 \d{3} /)
        .and.not.match(/^x-injected/im);
      expect(head.toLowerCase()).to.not.include('injected');
    });
  }

  it('completes running requests on close, without waiting for idle connections', async () => {
    await request();
    let finish = () => {};
    const begun = new Promise<void>((begin) => {
      app.behave(() => {
        begin();
        return new Promise((resolve) => {
          finish = () => resolve({ items: [], nextCursor: null });
        });
      });
    });
    const running = request();
    await begun;
    const closed = app.close();
    finish();
    expect((await running).status).to.equal(200);
    const startedAt = performance.now();
    await closed;
    expect(performance.now() - startedAt).to.be.below(400);
    expect(await request().catch(() => 'refused')).to.equal('refused');
  });

  it('responds to connections that were not yet accepted when the close began', async () => {
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { port: Number(new URL(app.origin).port), sent };
    const caller = new Worker(CALL_EIGHT_TIMES, { eval: true, workerData });
    await once(caller, 'online');
    const responses = once(caller, 'message');
    caller.postMessage('call');
    // Blocks the event loop, so that the connections stay in the listener's backlog.
    for (let count = 0; count < 8; count = Atomics.load(sent, 0))
      expect(Atomics.wait(sent, 0, count, 30_000)).to.not.equal('timed-out');
    await app.close();
    expect(await responses).to.deep.equal([Array(8).fill('HTTP/1.1 200 OK')]);
    await caller.terminate();
  });

  it('aborts requests that exceed the close timeout', async () => {
    const begun = new Promise<void>((begin) => {
      app.behave(() => {
        begin();
        return new Promise(() => {});
      });
    });
    const running = request().catch(() => 'cut off');
    await begun;
    await app.close();
    expect(await running).to.equal('cut off');
  });
});
