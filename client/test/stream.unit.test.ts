import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createClient } from '../src/client.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a stream of the typed client', () => {
  const server = createServer();
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  // Regression: its connection stayed open when the request had been collected as garbage meanwhile.
  it('closes its connection when it is stopped, however old it is', async () => {
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, workspace: 'acme', token: 'prt_x' });
    const stopping = new AbortController();
    const stream = client.stream({}, { signal: stopping.signal });
    const first = stream.next();
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: reset\nid: 1\ndata: {}\n\n');
    expect((await first).value).to.include({ type: 'reset', id: '1' });
    const second = stream.next().catch((error: unknown) => error);
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    const closed = once(response, 'close');
    stopping.abort();
    await closed;
    expect(await second).to.equal(stopping.signal.reason);
  });
});
