import { createEgress } from '@postrider/shared/domain/webhook-url';
import { eventually } from '@postrider/shared/testing/eventually';
import {
  type Act,
  type HostileReceiver,
  ok,
  startHostileReceiver,
} from '@postrider/shared/testing/hostile-receiver';
import type { Listening } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { type ClosablePoster, createPoster, type PosterOptions } from '../../src/post/poster.js';
import { SELF_SIGNED } from './certificate.js';

const EGRESS = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.1/32'], allowHosts: [] });

describe('poster', () => {
  const opened: { close: () => Promise<void> }[] = [];
  const listen = async (answer: Act, listening?: Listening): Promise<HostileReceiver> => {
    const started = await startHostileReceiver(answer, listening);
    opened.unshift(started);
    return started;
  };
  const newPoster = (overrides: Partial<PosterOptions> = {}): ClosablePoster => {
    const limits = { deadlineMs: 5_000, bodyDeadlineMs: 2_000, bodyLimitBytes: 2_048 };
    const created = createPoster({ egress: EGRESS, ...limits, ...overrides });
    opened.unshift(created);
    return created;
  };
  const post = (sut: ClosablePoster, url: string) => sut.post({ url, headers: {}, body: '{}' });

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it('sends the given headers and body, and adds only the necessary headers', async () => {
    const { port, requests } = await listen(ok());
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'whd_1',
      'user-agent': 'Postrider/0',
    };
    const url = `http://127.0.0.1:${port}/a/b?c=d`;
    const { outcome } = await newPoster().post({ url, headers, body: '{"é":1}' });
    expect(outcome).to.deep.equal({ kind: 'answered', httpStatus: 200, responseBody: 'ok' });
    expect(Buffer.from(requests[0]!, 'latin1').toString().split('\r\n')).to.deep.equal([
      'POST /a/b?c=d HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'webhook-id: whd_1',
      'user-agent: Postrider/0',
      'content-length: 8',
      '',
      '{"é":1}',
    ]);
  });

  it('measures the duration from the call to the end of the response', async () => {
    let nowMs = 1_000;
    const { url } = await listen((socket, request) => {
      nowMs += 41.6;
      ok()(socket, request);
    });
    expect((await post(newPoster({ monotonicMs: () => nowMs }), url)).durationMs).to.equal(42);
  });

  it('returns the durations of the phases that were reached', async () => {
    const NOTHING = { connectMs: null, headersMs: null, bodyMs: null };
    let nowMs = 0;
    const { url } = await listen((socket) => {
      nowMs += 30;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n');
      setTimeout(() => {
        nowMs += 8;
        socket.write('ok');
      }, 50);
    });
    const answered = await post(newPoster({ monotonicMs: () => nowMs }), url);
    expect(answered.phases).to.deep.equal({ connectMs: 0, headersMs: 30, bodyMs: 8 });
    const silent = await listen(() => {});
    const waited = await post(newPoster({ deadlineMs: 50 }), silent.url);
    expect(waited.phases.connectMs).to.be.a('number');
    expect(waited.phases).to.include({ headersMs: null, bodyMs: null });
    await silent.close();
    expect((await post(newPoster(), silent.url)).phases).to.deep.equal(NOTHING);
  });

  it('reuses connections', async () => {
    const { url, connections, requests } = await listen(ok());
    const sut = newPoster();
    for (let sent = 0; sent < 20; sent += 1) await post(sut, url);
    expect(requests).to.have.length(20);
    expect(connections).to.have.length.below(3);
  });

  it('reuses a connection when a body beyond the prefix has arrived completely', async () => {
    const { url, connections } = await listen(ok('x'.repeat(3_000)));
    const sut = newPoster();
    for (let sent = 0; sent < 20; sent += 1) {
      expect((await post(sut, url)).outcome).to.include({ responseBody: 'x'.repeat(2_048) });
    }
    expect(connections).to.have.length.below(3);
  });

  it('reuses TLS connections', async () => {
    const { url, connections, requests } = await listen(ok(), { tls: SELF_SIGNED });
    const sut = newPoster({ ca: SELF_SIGNED.cert });
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await post(sut, url)).outcome).to.include({ httpStatus: 200 });
    }
    expect(requests).to.have.length(10);
    expect(connections).to.have.length.below(3);
  });

  it('uses HTTP/1.1 even if the receiver offers HTTP/2', async () => {
    const { url, requests } = await listen(ok(), {
      tls: { ...SELF_SIGNED, ALPNProtocols: ['h2', 'http/1.1'] },
    });
    expect((await post(newPoster({ ca: SELF_SIGNED.cert }), url)).outcome).to.include({ httpStatus: 200 });
    expect(requests[0]).to.match(/^POST \/hook HTTP\/1.1\r\n/);
  });

  it('rejects the certificate of another host', async () => {
    const { url, requests } = await listen(ok(), { tls: SELF_SIGNED, host: '127.0.0.2' });
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.0/8'], allowHosts: [] });
    const { outcome } = await post(newPoster({ ca: SELF_SIGNED.cert, egress }), url);
    expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'tls' });
    expect(requests).to.deep.equal([]);
  });

  it('sends requests to one host concurrently', async () => {
    const together = 50;
    const waiting: (() => void)[] = [];
    const { url, connections } = await listen((socket, request) => {
      waiting.push(() => ok()(socket, request));
      if (waiting.length === together) for (const answer of waiting) answer();
    });
    const sut = newPoster();
    const posted = await Promise.all(Array.from({ length: together }, () => post(sut, url)));
    for (const { outcome } of posted) expect(outcome).to.include({ httpStatus: 200 });
    expect(connections).to.have.length(together);
  });

  it('ignores proxy variables of the environment', async () => {
    const proxy = await listen(ok('from the proxy'));
    const { url } = await listen(ok('from the receiver'));
    process.env.http_proxy = proxy.url;
    try {
      expect((await post(newPoster(), url)).outcome).to.include({ responseBody: 'from the receiver' });
    } finally {
      delete process.env.http_proxy;
    }
  });

  for (const host of [
    '127.0.0.2',
    '2130706434',
    '0x7f.2',
    '[::1]',
    '[::ffff:127.0.0.2]',
    'localhost',
    '10.0.0.1',
  ]) {
    it(`rejects http://${host}/ without a connection`, async () => {
      const inside = await listen(ok(), { host: '127.0.0.2' });
      const posted = await post(newPoster(), `http://${host}:${inside.port}/`);
      const outcome = { kind: 'unsendable', reason: 'invalid_url' };
      expect(posted).to.deep.include({ outcome, durationMs: null });
      expect(inside.connections).to.have.length(0);
    });
  }

  it('checks the remote address of a connection before it sends anything', async () => {
    const inside = await listen(ok());
    const careless = { problemWith: () => null, admits: () => false };
    const posted = await post(newPoster({ egress: careless }), inside.url);
    const outcome = { kind: 'unsendable', reason: 'blocked_address' };
    expect(posted).to.deep.include({ outcome, durationMs: null });
    await eventually(() =>
      expect(inside.connections.map((socket) => socket.destroyed)).to.deep.equal([true]),
    );
    expect(inside.connections[0]?.bytesRead).to.equal(0);
  });
});
