import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { awaitAnswer } from '../../src/admin/await-answer.js';

describe('waiting for the api', () => {
  let server: Server;
  afterEach(() => server?.close());

  const serve = async (listener: RequestListener, port = 0) => {
    server = createServer(listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const later = () => performance.now() + 10_000;
  const never = () => Promise.reject(new Error('it was not to wait'));
  const complaint = (apiUrl: string, until: number) =>
    awaitAnswer({ apiUrl, until, pause: never }).then(
      () => 'none',
      ({ message }: Error) => message,
    );

  // Right after an installation the first connection was refused, and the self-test gave up with its minute unused.
  it('goes on while connections are refused', async () => {
    const port = await serve(() => {});
    server.close();
    await once(server, 'close');
    let pauses = 0;
    const pause = async () => {
      pauses++;
      if (pauses === 2) await serve((_, answer) => void answer.end('{}'), port);
    };
    await awaitAnswer({ apiUrl: `http://127.0.0.1:${port}`, until: later(), pause });
    expect(pauses).to.equal(2);
  });

  it('goes on while it is not ready, and asks nothing but that', async () => {
    const asked: unknown[] = [];
    const port = await serve(({ method, url }, answer) => {
      asked.push(`${method} ${url}`);
      answer.writeHead(asked.length < 3 ? 503 : 200).end();
    });
    await awaitAnswer({ apiUrl: `http://127.0.0.1:${port}`, until: later(), pause: async () => {} });
    expect(asked).to.deep.equal(['GET /readyz', 'GET /readyz', 'GET /readyz']);
  });

  it('takes any answer that is no failure of a server', async () => {
    const port = await serve((_, answer) => void answer.writeHead(404).end());
    expect(await complaint(`http://127.0.0.1:${port}`, later())).to.equal('none');
  });

  it('ends with the last reason when the time is up', async () => {
    const port = await serve((_, answer) => void answer.writeHead(503).end('no broker'));
    const apiUrl = `http://127.0.0.1:${port}`;
    expect(await complaint(apiUrl, 0)).to.equal(`--api-url ${apiUrl} is not ready: 503 no broker`);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(await complaint(apiUrl, 0)).to.match(/^--api-url .* does not answer: .*ECONNREFUSED/);
  });

  it('does not begin with an address that is none', async () => {
    expect(await complaint('api:80', later())).to.match(
      /^--api-url api:80 does not answer: .*unknown scheme/,
    );
    expect(await complaint('nonsense', later())).to.match(/^--api-url nonsense does not answer: .*URL/);
  });
});
