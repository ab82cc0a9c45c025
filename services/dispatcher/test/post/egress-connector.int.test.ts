import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { expect } from 'chai';
import { createEgressConnector } from '../../src/post/egress-connector.js';
import { outcomeOf } from '../../src/post/failure.js';

/** Connections that the server's backlog takes. */
const ESTABLISHED = 2;
const TIMEOUT_MS = 1_000;
/** How long the first address is tried before the next one, in milliseconds. */
const TURN_MS = 300;

describe('egress connector', () => {
  let server: Worker;
  const established: Socket[] = [];
  after(async () => {
    for (const socket of established) socket.destroy();
    await server?.terminate();
  });

  // Regression: the second try of a slow address lasted for the whole connect time-out again.
  it('ends the second try of an address when the time for all of them is over', async () => {
    server = new Worker(new URL('./server-that-does-not-accept.js', import.meta.url));
    const [{ port }] = await once(server, 'message');
    for (let count = 0; count < ESTABLISHED; count += 1) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      established.push(socket);
    }
    const connectTo = createEgressConnector({
      egress: createEgress({ allowHttp: true, allowCidrs: ['127.0.0.1/32', '::1/128'], allowHosts: [] }),
      addressesOf: () => [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
      timeoutMs: TIMEOUT_MS,
      monotonicMs: () => performance.now(),
      proxy: null,
    });
    const startedAt = performance.now();
    const target = { hostname: 'hook.test', host: `hook.test:${port}`, protocol: 'http:', port: `${port}` };
    const error = await new Promise<Error | null>((settle) =>
      connectTo(target, (...[problem]) => settle(problem)),
    );
    const tookMs = performance.now() - startedAt;
    expect(outcomeOf(error)).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
    expect(tookMs).to.be.within(TIMEOUT_MS - 10, TIMEOUT_MS + TURN_MS - 50);
  });
});
