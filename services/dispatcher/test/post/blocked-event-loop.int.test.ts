import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { expect } from 'chai';
import { type ClosablePoster, createPoster, type PosterOptions } from '../../src/post/poster.js';
import { SELF_SIGNED } from './certificate.js';
import { postTo, requestTo } from './post-to.js';
import type { Addresses } from './thread-of-receivers.js';

const EGRESS = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.1/32', '::1/128'], allowHosts: [] });
const LIMITS = { deadlineMs: 1_000, bodyDeadlineMs: 1_000, bodyLimitBytes: 2_048 };
const BLOCKED_MS = 1_500;
const DELIVERED = { kind: 'answered', httpStatus: 200, responseBody: 'ok' };

function blockEventLoop(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
}

describe('poster whose event loop is blocked until after a deadline', () => {
  let receivers: Worker;
  let at: Addresses;
  let sut: ClosablePoster;
  before(async () => {
    receivers = new Worker(new URL('./thread-of-receivers.js', import.meta.url));
    [at] = await once(receivers, 'message');
  });
  after(() => receivers.terminate());
  afterEach(async () => {
    receivers.removeAllListeners('message');
    await sut.close();
  });
  const aPoster = (options: Partial<PosterOptions> = {}) => {
    sut = createPoster({ egress: EGRESS, ...LIMITS, ...options });
    return sut;
  };
  /** Blocks the event loop as soon as a server waits before its response to this. */
  const blockOnce = (what: string) => {
    let isBlocked = false;
    receivers.on('message', ({ asked }: { asked: string }) => {
      if (asked !== what || isBlocked) return;
      isBlocked = true;
      blockEventLoop();
    });
  };

  it('reads a response that arrived meanwhile', async () => {
    blockOnce('head');
    expect((await postTo(aPoster(), { url: at.slowHead })).outcome).to.deep.equal(DELIVERED);
  });

  it('reads a body that arrived meanwhile', async () => {
    blockOnce('body');
    expect((await postTo(aPoster(), { url: at.slowBody })).outcome).to.deep.equal(DELIVERED);
  });

  it('postpones a request whose connection was established meanwhile, and does not send it', async () => {
    blockOnce('proxy');
    const result = await aPoster({ proxy: new URL(at.proxy) }).post(requestTo(at.slowHead));
    expect(result).to.deep.equal({ kind: 'postponed', cause: 'local', forMs: 1_000 });
  });

  for (const receiver of ['slowHead', 'secure'] as const)
    it(`tries an address again that was connected to meanwhile, after its turn and all others (${receiver})`, async () => {
      let isBlocked = false;
      const admits: typeof EGRESS.admits = (...parts) => {
        // The connection is started by then, and not yet found to be established.
        if (!isBlocked) process.nextTick(() => process.nextTick(blockEventLoop));
        isBlocked = true;
        return EGRESS.admits(...parts);
      };
      const options = { nameServers: [at.names], ca: SELF_SIGNED.cert, deadlineMs: 5_000 };
      const url = new URL(at[receiver]);
      url.hostname = 'hook.test';
      const { outcome } = await postTo(aPoster({ egress: { ...EGRESS, admits }, ...options }), {
        url: url.href,
      });
      expect(outcome).to.deep.equal(DELIVERED);
      expect(isBlocked).to.equal(true);
    });

  it('postpones a request whose lookup was to end meanwhile: its response may have been lost', async () => {
    const urlOf = (name: string) => `http://${name}:${new URL(at.slowHead).port}/`;
    const poster = aPoster({ nameServers: [at.names], lookupDeadlineMs: 1_000, deadlineMs: 5_000 });
    expect((await postTo(poster, { url: urlOf('other.example') })).outcome).to.deep.equal(DELIVERED);
    blockOnce('customer.example');
    const result = await poster.post(requestTo(urlOf('customer.example')));
    expect(result).to.deep.include({ kind: 'postponed', cause: 'look_up' });
  });
});
