import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { waitUntilReady } from '../../src/admin/wait-until-ready.js';

describe('waitUntilReady', () => {
  let server: Server;
  afterEach(() => server?.close());

  const serve = async (listener: RequestListener, port = 0) => {
    server = createServer(listener).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const later = () => performance.now() + 10_000;
  const never = () => Promise.reject(new Error('it must not wait'));
  const errorOf = (apiUrl: string, deadline: number) =>
    waitUntilReady({ apiUrl, deadline, sleep: never }).then(
      () => 'none',
      ({ message }: Error) => message,
    );

  // Regression: right after an installation the first connection was refused, and the self-test failed.
  it('keeps waiting while connections are refused', async () => {
    const port = await serve(() => {});
    server.close();
    await once(server, 'close');
    let pauses = 0;
    const sleep = async () => {
      pauses++;
      if (pauses === 2) await serve((_, answer) => void answer.end('{}'), port);
    };
    await waitUntilReady({ apiUrl: `http://127.0.0.1:${port}`, deadline: later(), sleep });
    expect(pauses).to.equal(2);
  });

  it('polls /readyz, and nothing else, until the api is ready', async () => {
    const requests: unknown[] = [];
    const port = await serve(({ method, url }, answer) => {
      requests.push(`${method} ${url}`);
      answer.writeHead(requests.length < 3 ? 503 : 200).end();
    });
    await waitUntilReady({ apiUrl: `http://127.0.0.1:${port}`, deadline: later(), sleep: async () => {} });
    expect(requests).to.deep.equal(['GET /readyz', 'GET /readyz', 'GET /readyz']);
  });

  it('accepts any response that is not a server error', async () => {
    const port = await serve((_, answer) => void answer.writeHead(404).end());
    for (const scheme of ['http', 'HTTP'])
      expect(await errorOf(`${scheme}://127.0.0.1:${port}`, later())).to.equal('none');
  });

  it('fails with the last reason at the deadline', async () => {
    const port = await serve((_, answer) => void answer.writeHead(503).end('no broker'));
    const apiUrl = `http://127.0.0.1:${port}`;
    expect(await errorOf(apiUrl, 0)).to.equal(`--api-url ${apiUrl} is not ready: 503 no broker`);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(await errorOf(apiUrl, 0)).to.match(/^--api-url .* does not respond: .*ECONNREFUSED/);
  });

  it('fails at once for an invalid address', async () => {
    for (const apiUrl of ['api:80', 'nonsense', 'http://', 'http://a b', ''])
      expect(await errorOf(apiUrl, later())).to.equal(
        `--api-url ${apiUrl} is not an http:// or https:// URL`,
      );
  });
});
