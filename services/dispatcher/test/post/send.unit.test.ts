import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import type { Dispatcher } from 'undici';
import { type Connection, createConnections } from '../../src/post/connections.js';
import { createSend, type Target } from '../../src/post/send.js';

const url = new URL('http://receiver.test/hook');
const TARGET: Target = { url, origin: url.origin, path: url.pathname };
const CALLER = { workspaceId: 'ws_1', endpointId: 'whe_1' };
const REQUEST = { url: url.href, headers: { 'content-length': '2' }, body: '{}', ...CALLER };
const DEADLINE_MS = 5_000;

/** The socket of a receiver that answers each request once its body has arrived. */
const answering = () =>
  new Duplex({
    read() {},
    write(bytes, _encoding, done) {
      if (String(bytes).endsWith('{}')) this.push('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      done();
    },
  });

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Lets `end` end the socket after the client has the request and before it writes it. */
const endingBeforeWrite = (connection: Connection, end: () => void): Connection => ({
  ...connection,
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    connection.dispatch(options, handler);
    end();
  },
});

describe('a POST on an idle connection', () => {
  let sockets: Duplex[];
  let resolved: number;
  let resent: number;
  let connections: ReturnType<typeof createConnections>;
  let send: ReturnType<typeof createSend>;
  beforeEach(() => {
    sockets = [];
    resolved = 0;
    resent = 0;
    connections = createConnections({
      connect: (_target, callback) => {
        const socket = answering();
        sockets.push(socket);
        queueMicrotask(() => callback(null, socket as Socket, '192.0.2.1'));
      },
      monotonicMs: () => performance.now(),
      maxIdle: 10,
      keepAliveTimeout: 60_000,
    });
    send = createSend({
      connections,
      resolve: async () => {
        resolved += 1;
        return { kind: 'found', addresses: [] };
      },
      onResent: () => {
        resent += 1;
      },
      monotonicMs: () => performance.now(),
      bodyDeadlineMs: 1_000,
      bodyLimitBytes: 1_000,
    });
  });
  afterEach(() => connections.destroy());

  const sendOn = (idle: Connection | null) =>
    send(TARGET, REQUEST, { idle, deadline: performance.now() + DEADLINE_MS });
  const ended = () => new Promise((resolve) => setImmediate(resolve));

  // Regression: it was a failed attempt, or was written to a new connection without another lookup.
  for (const [what, end] of [
    ['resets', (socket: Duplex) => socket.destroy(reset())],
    ['ends', (socket: Duplex) => socket.push(null)],
    [
      'answers without a request and ends',
      (socket: Duplex) => {
        socket.push('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n');
        socket.push(null);
      },
    ],
  ] as const)
    for (const uses of [1, 2, 3])
      it(`is sent again if the receiver ${what} before it is written, after ${uses} requests`, async () => {
        for (let use = 0; use < uses; use += 1) {
          expect((await sendOn(null)).outcome).to.include({ httpStatus: 200 });
          await ended();
        }
        const [socket] = sockets;
        const idle = endingBeforeWrite(connections.takeIdle(url.origin)!, () => end(socket!));
        const sent = await sendOn(idle);
        expect(sent.outcome).to.deep.include({ kind: 'answered', httpStatus: 200, responseBody: 'ok' });
        expect(sent).to.include({ isWritten: true, isReused: false, hasReceived: true });
        expect([resolved, resent, sockets.length]).to.deep.equal([1, 1, 2]);
      });

  // Regression: the POST was sent again as if it had never left this machine.
  it('is answered although this machine lacks memory for the body of the response', async () => {
    await sendOn(null);
    await ended();
    const [socket] = sockets;
    socket!._write = (bytes, _encoding, done) => {
      done();
      if (!String(bytes).endsWith('{}')) return;
      socket!.push('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok');
      setImmediate(() => socket!.destroy(Object.assign(new Error('no room'), { code: 'ENOBUFS' })));
    };
    const sent = await sendOn(null);
    expect(sent.outcome).to.deep.equal({ kind: 'answered', httpStatus: 200, responseBody: null });
    expect([sent.localCause, resent]).to.deep.equal([null, 0]);
  });
});
