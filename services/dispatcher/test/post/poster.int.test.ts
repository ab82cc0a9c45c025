import { createEgress } from '@postrider/shared/domain/webhook-url';
import { eventually } from '@postrider/shared/testing/eventually';
import {
  type Act,
  type HostileReceiver,
  ok,
  startHostileReceiver,
} from '@postrider/shared/testing/hostile-receiver';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Listening } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { type ClosablePoster, createPoster, type PosterOptions } from '../../src/post/poster.js';
import { SELF_SIGNED } from './certificate.js';
import { CALLER, postTo, requestTo } from './post-to.js';

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
  const post = (sut: ClosablePoster, url: string) => postTo(sut, { url });

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
    const posted = await newPoster().post({ ...CALLER, url, headers, body: '{"é":1}' });
    const outcome = { kind: 'answered', httpStatus: 200, responseBody: 'ok' };
    expect(posted).to.deep.include({ outcome });
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

  it('returns the address that was connected to, and no time for connecting on a reused connection', async () => {
    let nowMs = 0;
    const { url } = await listen(ok());
    const sut = newPoster({
      monotonicMs: () => {
        nowMs += 5;
        return nowMs;
      },
    });
    const first = await post(sut, url);
    expect(first).to.include({ remoteAddress: '127.0.0.1' });
    expect(first.phases.connectMs).to.be.above(0);
    const second = await post(sut, url);
    expect(second).to.include({ remoteAddress: '127.0.0.1' });
    expect(second.phases.connectMs).to.equal(0);
    const unreachable = await post(sut, 'http://127.0.0.1:1/');
    expect(unreachable.remoteAddress).to.equal(null);
  });

  it('returns whether the request was written to a connection', async () => {
    const answering = await listen(ok());
    const silent = await listen(() => {});
    const untrusted = await listen(ok(), { tls: SELF_SIGNED });
    const sut = newPoster({ deadlineMs: 200 });
    const isWritten = async (url: string) => (await post(sut, url)).isWritten;
    expect(await isWritten(answering.url)).to.equal(true);
    expect(await isWritten(silent.url)).to.equal(true);
    expect(await isWritten(untrusted.url)).to.equal(false);
    expect(await isWritten('http://127.0.0.1:1/')).to.equal(false);
  });

  it('sends to URLs with an empty user name, which were accepted in the past', async () => {
    const { url } = await listen(ok());
    for (const empty of ['@', ':@'])
      expect((await post(newPoster(), url.replace('//', `//${empty}`))).outcome).to.include({
        httpStatus: 200,
      });
  });

  it('reuses connections', async () => {
    const { url, connections, requests } = await listen(ok());
    const sut = newPoster();
    for (let sent = 0; sent < 20; sent += 1) await post(sut, url);
    expect(requests).to.have.length(20);
    expect(connections).to.have.length.below(3);
  });

  describe('on a reused connection', () => {
    /** Answers the first request of each connection, and does `then` at the next. */
    const afterFirst = (then: Act): Act => {
      const seen = new WeakSet<object>();
      return (socket, request) => {
        if (seen.has(socket)) return then(socket, request);
        seen.add(socket);
        ok()(socket, request);
      };
    };
    const closings: readonly (readonly [string, Act, Listening])[] = [
      ['closes it', (socket) => socket.end(), {}],
      ['resets it', (socket) => socket.resetAndDestroy(), {}],
      ['closes it with TLS', (socket) => socket.end(), { tls: SELF_SIGNED }],
      ['drops it with TLS', (socket) => socket.destroy(), { tls: SELF_SIGNED }],
    ];
    for (const [does, then, listening] of closings) {
      it(`sends a POST again when the receiver ${does} before an answer`, async () => {
        let resent = 0;
        const onResent = () => {
          resent += 1;
        };
        const { url, requests, connections } = await listen(afterFirst(then), listening);
        const sut = newPoster({ onResent, ca: SELF_SIGNED.cert });
        for (let sent = 0; sent < 3; sent += 1)
          expect((await post(sut, url)).outcome).to.include({ httpStatus: 200 });
        expect(requests).to.have.length(5);
        expect(connections).to.have.length(3);
        expect(resent).to.equal(2);
      });
    }

    it('does not send a POST again after the first byte of an answer', async () => {
      const { url, requests } = await listen(afterFirst((socket) => socket.end('HTTP/1.1 2')));
      const sut = newPoster();
      await post(sut, url);
      expect((await post(sut, url)).outcome).to.deep.equal({
        kind: 'unreachable',
        reason: 'connection_reset',
      });
      expect(requests).to.have.length(2);
    });

    it('leaves unclear whether a server was reached if no byte of an answer arrives', async () => {
      const sut = newPoster({ deadlineMs: 300 });
      const secondReach = async (then: Act) => {
        const { url } = await listen(afterFirst(then));
        expect(await post(sut, url)).to.include({ reach: 'answered' });
        return (await post(sut, url)).reach;
      };
      const silent = await listen(() => {});
      expect(await secondReach(() => {})).to.equal('unclear');
      expect(await secondReach((socket) => socket.write('HTTP/1.1 2'))).to.equal('silent');
      expect(await post(sut, silent.url), 'on a new connection').to.include({ reach: 'silent' });
      expect(await post(sut, 'http://127.0.0.1:1/')).to.include({ reach: 'unreached' });
    });

    it('sends a POST twice at most', async () => {
      let answered = false;
      const { url, requests } = await listen((socket, request) => {
        if (answered) return socket.destroy();
        answered = true;
        return ok()(socket, request);
      });
      const sut = newPoster();
      await post(sut, url);
      expect((await post(sut, url)).outcome).to.deep.equal({
        kind: 'unreachable',
        reason: 'connection_reset',
      });
      expect(requests).to.have.length(3);
    });

    it('counts as written if only the first of two POSTs could be', async () => {
      const { url, close } = await listen(
        afterFirst((socket) => {
          void close();
          socket.destroy();
        }),
      );
      const sut = newPoster();
      await post(sut, url);
      expect(await post(sut, url)).to.deep.include({
        outcome: { kind: 'unreachable', reason: 'connection_refused' },
        isWritten: true,
      });
    });

    it('ends the second POST at the deadline of the first', async () => {
      let nth = 0;
      const { url, requests } = await listen((socket, request) => {
        nth += 1;
        if (nth === 1) ok()(socket, request);
        else if (nth === 2) setTimeout(() => socket.destroy(), 1_000);
      });
      const sut = newPoster({ deadlineMs: 2_000 });
      await post(sut, url);
      const { outcome, durationMs } = await post(sut, url);
      expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
      expect(durationMs).to.be.within(1_990, 2_900);
      expect(requests).to.have.length(3);
    });
  });

  it('does not send a POST again when a new connection ends before an answer', async () => {
    const { url, requests } = await listen((socket) => socket.destroy());
    expect((await post(newPoster(), url)).outcome).to.deep.equal({
      kind: 'unreachable',
      reason: 'connection_reset',
    });
    expect(requests).to.have.length(1);
  });

  it('sends nothing on a connection that is established after the deadline', async () => {
    let accept: (() => void) | undefined;
    const { url, requests } = await listen(ok(), {
      tls: { ...SELF_SIGNED, SNICallback: (_name, done) => (accept = () => done(null)) },
    });
    const named = url.replace('127.0.0.1', 'hook.example');
    const egress = createEgress({
      allowHttp: true,
      allowCidrs: ['127.0.0.1/32'],
      allowHosts: ['hook.example'],
    });
    const names = await nameServer(() => ({ addresses: ['127.0.0.1'] }));
    opened.unshift(names);
    const sut = newPoster({ ca: SELF_SIGNED.cert, deadlineMs: 300, egress, nameServers: [names.address] });
    expect((await post(sut, named)).outcome).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
    accept?.();
    await sut.close();
    expect(requests).to.deep.equal([]);
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
    const { outcome, errorDetail } = await post(newPoster({ ca: SELF_SIGNED.cert, egress }), url);
    expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'tls' });
    expect(errorDetail).to.equal('hostname_mismatch');
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
      const result = await newPoster().post(requestTo(`http://${host}:${inside.port}/`));
      expect(result).to.deep.equal({ kind: 'unsendable', reason: 'invalid_url' });
      expect(inside.connections).to.have.length(0);
    });
  }

  // Regression: with TLS the handshake came before the check.
  for (const protocol of ['http:', 'https:'])
    it(`checks the remote address of a connection before it sends anything: ${protocol}`, async () => {
      const inside = await listen(ok());
      const careless = { problemWith: () => null, admits: () => false };
      const url = inside.url.replace('http:', protocol);
      const result = await newPoster({ egress: careless }).post(requestTo(url));
      expect(result).to.deep.equal({ kind: 'unsendable', reason: 'blocked_address' });
      await eventually(() =>
        expect(inside.connections.map((socket) => socket.destroyed)).to.deep.equal([true]),
      );
      expect(inside.connections[0]?.bytesRead).to.equal(0);
    });
});
