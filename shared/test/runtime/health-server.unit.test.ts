import { expect } from 'chai';
import { startHealthServer } from '../../src/runtime/health-server.js';
import type { Listener } from '../../src/runtime/listen.js';

describe('health server', () => {
  let server: Listener;
  let alive = true;
  let missing: string[] = [];

  before(async () => {
    const facts = { alive: () => alive, readiness: () => missing };
    server = await startHealthServer({ host: '127.0.0.1', port: 0, ...facts });
  });
  after(() => server.close());
  beforeEach(() => {
    alive = true;
    missing = [];
  });

  async function get(path: string) {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: response.status, body: await response.json() };
  }

  it('reports that the process is alive and ready', async () => {
    expect(await get('/healthz')).to.deep.equal({ status: 200, body: { status: 'alive' } });
    expect(await get('/readyz')).to.deep.equal({ status: 200, body: { status: 'ready', missing: [] } });
  });

  it('reports a stuck process, so that it is restarted', async () => {
    alive = false;
    expect(await get('/healthz')).to.deep.equal({ status: 503, body: { status: 'stuck' } });
  });

  it('lists readiness problems and reports the process as alive', async () => {
    missing = ['the consumer has not joined its group'];
    expect(await get('/readyz')).to.deep.equal({ status: 503, body: { status: 'not ready', missing } });
    expect((await get('/healthz')).status).to.equal(200);
  });

  it('responds 404 to other routes', async () => {
    expect((await get('/metrics')).status).to.equal(404);
  });

  it('does not start on a used port', async () => {
    const taken = { host: '127.0.0.1', port: server.port, alive: () => true, readiness: () => [] };
    const error = await startHealthServer(taken).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'EADDRINUSE');
  });

  it('closes immediately despite open connections', async () => {
    const other = await startHealthServer({
      host: '127.0.0.1',
      port: 0,
      alive: () => true,
      readiness: () => [],
    });
    await fetch(`http://127.0.0.1:${other.port}/healthz`, { headers: { connection: 'keep-alive' } });
    await other.close();
    const error = await fetch(`http://127.0.0.1:${other.port}/healthz`).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TypeError);
  });
});
