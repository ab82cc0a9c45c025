import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import type { Listener } from '../../src/runtime/listen.js';
import { isAlive, STUCK_AFTER_MS } from '../../src/runtime/liveness.js';
import { startLivenessServer } from '../../src/runtime/liveness-server.js';

const ASK = 'fetch(process.argv[1]).then(async (it) => console.log(it.status, await it.text()))';

describe('liveness server', () => {
  let server: Listener;
  let alive = true;

  before(async () => {
    server = await startLivenessServer({ host: '127.0.0.1', port: 0, alive: () => alive });
  });
  after(() => server.close());
  beforeEach(() => {
    alive = true;
  });

  const url = () => `http://127.0.0.1:${server.port}/healthz`;
  const get = async (path: string) => (await fetch(new URL(path, url()))).status;

  it('reports what the process says about itself', async () => {
    expect(await get('/healthz')).to.equal(200);
    alive = false;
    expect(await get('/healthz')).to.equal(503);
    alive = true;
    expect(await get('/healthz')).to.equal(200);
  });

  // Regression: an overloaded api answered its probes too late, was restarted, and left its load to the others.
  it('answers while the event loop of the process is blocked', () => {
    // The call returns when the other process has ended: until then no event of this one is handled.
    const answer = execFileSync(process.execPath, ['--eval', ASK, url()], { encoding: 'utf8' });
    expect(answer.trim()).to.equal('200 {"status":"alive"}');
  });

  it('responds 404 to other routes', async () => expect(await get('/readyz')).to.equal(404));

  it('does not start on a used port', async () => {
    const taken = { host: '127.0.0.1', port: server.port, alive: () => true };
    const error = await startLivenessServer(taken).catch((reason: unknown) => reason);
    expect(error).to.have.property('message').that.includes('EADDRINUSE');
  });
});

describe('isAlive', () => {
  it('is patient with a process that replies late', () =>
    expect(isAlive({ alive: true, overdueMs: STUCK_AFTER_MS - 1 })).to.equal(true));

  it('gives a process up that owes a reply for too long', () =>
    expect(isAlive({ alive: true, overdueMs: STUCK_AFTER_MS })).to.equal(false));

  it('believes a process that reports that it is stuck', () =>
    expect(isAlive({ alive: false, overdueMs: 0 })).to.equal(false));
});
