import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { eventually } from '@postrider/shared/testing/eventually';
import {
  type Act,
  drip,
  type HostileReceiver,
  ok,
  sendForever,
  startHostileReceiver,
} from '@postrider/shared/testing/hostile-receiver';
import type { Listening } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import type { Posted } from '../../src/ports/poster.js';
import { type ClosablePoster, createPoster } from '../../src/post/poster.js';
import { SELF_SIGNED, SELF_SIGNED_RSA } from './certificate.js';
import { CALLER, postTo } from './post-to.js';

/** For receivers that respond in any way: only a defect takes this long. */
const PATIENT = { deadlineMs: 5_000, bodyDeadlineMs: 5_000, bodyLimitBytes: 2_048 };
/** For receivers that delay their response. */
const HASTY = { deadlineMs: 250, bodyDeadlineMs: 150, bodyLimitBytes: 2_048 };
/** Tolerance for a busy machine. */
const SLACK_MS = 1_000;
const HEAD = 'HTTP/1.1 200 OK\r\n';
const MEBIBYTE = 2 ** 20;

/** 127.0.0.3 represents a forbidden internal address. */
const EGRESS = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.1/32'], allowHosts: [] });

const unreachable = (reason: string) => ({ kind: 'unreachable', reason });
const answered = (httpStatus: number, responseBody: string | null) => ({
  kind: 'answered',
  httpStatus,
  responseBody,
});
const send =
  (text: string): Act =>
  (socket) =>
    socket.write(text);
const sendAndClose =
  (text: string): Act =>
  (socket) =>
    socket.end(text);
const hang: Act = () => {};

type Case = readonly [what: string, answer: Act, outcome: object];

const DELAYED_RESPONSES: readonly Case[] = [
  ['accepts and never responds', hang, unreachable('timeout')],
  ['sends its headers byte by byte', (socket) => drip(socket, `${HEAD}x: y\r\n\r\n`), unreachable('timeout')],
  ['sends 103 and then nothing', send('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), unreachable('timeout')],
  ['sends only the beginning of its body', send(`${HEAD}content-length: 9\r\n\r\nok`), answered(200, null)],
];

const ENDLESS_1XX: Act = (socket) => sendForever(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n');
const ENDLESS_HEADER: Act = (socket) => sendForever(socket, `${HEAD}x: ${'y'.repeat(60_000)}`);
const UPGRADE = 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const TWO_KIB = 'x'.repeat(2_048);

const UNUSUAL_RESPONSES: readonly Case[] = [
  ['sends 1xx responses endlessly', ENDLESS_1XX, unreachable('network')],
  ['closes after 100', sendAndClose('HTTP/1.1 100 Continue\r\n\r\n'), unreachable('network')],
  ['sends 101', send(UPGRADE), unreachable('network')],
  ['sends status 099', send('HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'), unreachable('network')],
  [
    'sends 10,000 headers',
    send(`${HEAD}${'x-filler: value\r\n'.repeat(10_000)}\r\n`),
    unreachable('network'),
  ],
  ['sends an endless header', ENDLESS_HEADER, unreachable('network')],
  ['sends another protocol', send('SSH-2.0-OpenSSH_9.2\r\n'), unreachable('network')],
  ['closes before it responds', (socket) => socket.end(), unreachable('connection_reset')],
  ['closes within the status line', sendAndClose('HTTP/1.1 2'), unreachable('connection_reset')],
  ['closes after 103', sendAndClose('HTTP/1.1 103 Early Hints\r\n\r\n'), unreachable('connection_reset')],
  ['resets the connection', (socket) => socket.resetAndDestroy(), unreachable('connection_reset')],
  ['sends status 999', send('HTTP/1.1 999 X\r\ncontent-length: 2\r\n\r\nno'), answered(999, 'no')],
  ['sends only a status', send('HTTP/1.1 204 No Content\r\n\r\n'), answered(204, '')],
  [
    'ends its body by closing the connection',
    sendAndClose(`${HEAD}connection: close\r\n\r\nok`),
    answered(200, 'ok'),
  ],
  ['closes within its body', sendAndClose(`${HEAD}content-length: 9\r\n\r\nok`), answered(200, null)],
  ['closes within a chunked body', sendAndClose(`${CHUNKED}5\r\nhel`), answered(200, null)],
  ['sends an invalid chunk', send(`${CHUNKED}2\r\nok\r\nzz\r\n`), answered(200, null)],
  ['responds twice', send(`${HEAD}content-length: 2\r\n\r\nok`.repeat(2)), answered(200, 'ok')],
  [
    'sends nothing after 2 KiB',
    send(`${HEAD}content-length: 9999\r\n\r\n${TWO_KIB}`),
    answered(200, TWO_KIB),
  ],
];

describe('poster with hostile receivers', () => {
  let patient: ClosablePoster;
  let hasty: ClosablePoster;
  const receivers: HostileReceiver[] = [];
  const listen = async (answer: Act, listening?: Listening) => {
    const started = await startHostileReceiver(answer, listening);
    receivers.push(started);
    return started;
  };
  const post = (sut: ClosablePoster, url: string) => postTo(sut, { url });

  beforeEach(() => {
    patient = createPoster({ egress: EGRESS, ...PATIENT });
    hasty = createPoster({ egress: EGRESS, ...HASTY });
  });
  afterEach(async () => {
    const healthy = await listen(ok('still there'));
    expect((await post(patient, healthy.url)).outcome).to.deep.equal(answered(200, 'still there'));
    await patient.close();
    await hasty.close();
    await Promise.all(receivers.splice(0).map((one) => one.close()));
  });

  for (const [what, answer, outcome] of DELAYED_RESPONSES) {
    it(`ends within its deadline when a receiver ${what}`, async () => {
      const { url } = await listen(answer);
      const posted = await post(hasty, url);
      expect(posted.outcome).to.deep.equal(outcome);
      expectInTime(posted);
    });
  }

  for (const [what, answer, outcome] of UNUSUAL_RESPONSES) {
    it(`returns an outcome when a receiver ${what}`, async () => {
      const { url } = await listen(answer);
      expect((await post(patient, url)).outcome).to.deep.equal(outcome);
    });
  }

  it('reads 2 KiB of an endless body in bounded memory', async () => {
    const endless = await listen((socket) => {
      socket.write(`${HEAD}content-length: ${2 ** 30}\r\n\r\n`);
      sendForever(socket, 'x');
    });
    const before = memoryInUse();
    const posted = await Promise.all(Array.from({ length: 20 }, () => post(patient, endless.url)));
    for (const { outcome } of posted) expect(outcome).to.deep.equal(answered(200, 'x'.repeat(2_048)));
    expect(memoryInUse() - before).to.be.below(64 * MEBIBYTE);
    await eventually(() => expect(endless.connections.every((socket) => socket.destroyed)).to.equal(true));
    for (const socket of endless.connections) expect(socket.bytesWritten).to.be.below(16 * MEBIBYTE);
  });

  it('does not decompress a compressed body', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MEBIBYTE));
    const { url } = await listen((socket) => {
      socket.write(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const before = memoryInUse();
    const { outcome } = await post(patient, url);
    expect(outcome).to.include({ kind: 'answered', httpStatus: 200 });
    expect(outcome.kind === 'answered' && outcome.responseBody?.length).to.be.within(1, 2_048);
    expect(memoryInUse() - before).to.be.below(16 * MEBIBYTE);
  });

  it('closes the connection of a body that is slower than its deadline', async () => {
    let connection: Socket | undefined;
    const { url } = await listen((socket) => {
      connection = socket;
      // It would take 40 s: the end of the body does not close the connection while the test waits.
      socket.write(`${HEAD}content-length: 2000\r\n\r\n`);
      drip(socket, 'x'.repeat(2_000));
    });
    const posted = await post(hasty, url);
    expect(posted.outcome).to.deep.equal(answered(200, null));
    expectInTime(posted);
    await eventually(() => expect(connection?.destroyed).to.equal(true));
  });

  it('does not follow redirects', async () => {
    const inside = await listen(ok(), { host: '127.0.0.3' });
    const { url } = await listen(
      send(`HTTP/1.1 302 Found\r\nlocation: ${inside.url}\r\ncontent-length: 0\r\n\r\n`),
    );
    expect((await post(patient, url)).outcome).to.deep.equal(answered(302, ''));
    expect(inside.connections).to.have.length(0);
  });

  it('reports a refused connection', async () => {
    const gone = await listen(ok());
    await gone.close();
    const { outcome, durationMs } = await post(patient, gone.url);
    expect(outcome).to.deep.equal(unreachable('connection_refused'));
    expect(durationMs).to.be.a('number');
  });

  it('rejects a self-signed certificate and sends nothing', async () => {
    const selfSigned = await listen(ok(), { tls: SELF_SIGNED });
    const posted = await post(patient, selfSigned.url);
    expect(posted.outcome).to.deep.equal(unreachable('tls'));
    expect(posted).to.include({ errorDetail: 'self_signed', remoteAddress: '127.0.0.1' });
    expect(posted.phases.connectMs).to.be.a('number');
    expect(posted.phases).to.include({ headersMs: null, bodyMs: null });
    expect(selfSigned.requests).to.deep.equal([]);
  });

  describe('that negotiate TLS again', () => {
    /** The receiver's own limit, which an attacker lifts. */
    const setOwnLimit = (limit: number) => Object.assign(tls, { CLIENT_RENEG_LIMIT: limit });
    const { CLIENT_RENEG_LIMIT } = tls;
    let trusting: ClosablePoster;
    let negotiations = 0;
    /** Negotiates from the beginning, without the session of before. */
    const negotiateAgain = (socket: Socket, times: number, then: () => void) => {
      if (times === 0) return then();
      (socket as tls.TLSSocket).renegotiate({}, (error) => {
        if (error !== null) return;
        negotiations += 1;
        setImmediate(negotiateAgain, socket, times - 1, then);
      });
    };
    const renegotiating = (times: number) =>
      listen((socket) => negotiateAgain(socket, times, () => ok()(socket, '')), {
        tls: {
          ...SELF_SIGNED,
          maxVersion: 'TLSv1.2',
          secureOptions: constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
        },
      });

    beforeEach(() => {
      setOwnLimit(Number.POSITIVE_INFINITY);
      negotiations = 0;
      trusting = createPoster({ egress: EGRESS, ...PATIENT, ca: SELF_SIGNED.cert });
    });
    afterEach(async () => {
      setOwnLimit(CLIENT_RENEG_LIMIT);
      await trusting.close();
    });

    it('closes the connection of one that does so endlessly', async () => {
      const { url, connections } = await renegotiating(Number.POSITIVE_INFINITY);
      expect((await post(trusting, url)).outcome).to.deep.equal(unreachable('tls'));
      await eventually(() => expect(connections.every((socket) => socket.destroyed)).to.equal(true));
      expect(negotiations).to.be.within(1, 4);
    });

    it('accepts it once for each request', async () => {
      const { url, connections } = await renegotiating(1);
      for (let requests = 0; requests < 8; requests += 1)
        expect((await post(trusting, url)).outcome).to.deep.equal(answered(200, 'ok'));
      expect(connections).to.have.length(1);
      expect(negotiations).to.equal(8);
    });
  });

  // Regression: with TLS 1.3, a receiver could change its keys endlessly, which keeps a core busy and causes no event.
  it('closes the connection of one that sends many bytes of TLS with hardly any data', async () => {
    const byByte: Act = async (socket) => {
      for (const byte of `${HEAD}x: ${'y'.repeat(4_000)}`)
        await new Promise((sent) => socket.write(byte, sent));
    };
    const sending = await listen(byByte, { tls: SELF_SIGNED });
    const trusting = createPoster({ egress: EGRESS, ...PATIENT, ca: SELF_SIGNED.cert });
    const posted = await post(trusting, sending.url);
    await trusting.close();
    expect(posted.outcome).to.deep.equal(unreachable('tls'));
  });

  it('accepts no Diffie-Hellman group that the receiver chooses', async () => {
    const ciphers = 'DHE-RSA-AES128-GCM-SHA256';
    const choosing = await listen(ok(), {
      tls: { ...SELF_SIGNED_RSA, maxVersion: 'TLSv1.2', ciphers, dhparam: 'auto' },
    });
    const trusting = createPoster({ egress: EGRESS, ...PATIENT, ca: SELF_SIGNED_RSA.cert });
    const posted = await post(trusting, choosing.url);
    await trusting.close();
    expect(posted).to.deep.include({ outcome: unreachable('tls'), errorDetail: 'handshake' });
    expect(choosing.requests).to.deep.equal([]);
  });

  it('distinguishes a server without TLS from one that closes during the handshake', async () => {
    const plain = await listen(send('HTTP/1.1 400 Bad Request\r\n\r\n'), { eager: true });
    const closing = await listen((socket) => socket.destroy(), { eager: true });
    const secure = ({ url }: HostileReceiver) => url.replace('http:', 'https:');
    const remoteAddress = '127.0.0.1';
    expect(await post(patient, secure(plain))).to.deep.include({
      outcome: unreachable('tls'),
      ...{ errorDetail: 'not_tls', remoteAddress },
    });
    expect(await post(patient, secure(closing))).to.deep.include({
      outcome: unreachable('connection_reset'),
      ...{ errorDetail: 'handshake', remoteAddress },
    });
  });

  it('distinguishes a handshake that does not end from a request without a response', async () => {
    const silent = await listen(hang, { eager: true });
    const secure = silent.url.replace('http:', 'https:');
    const outcome = unreachable('timeout');
    expect(await post(hasty, secure)).to.deep.include({ outcome, errorDetail: 'handshake' });
    expect(await post(hasty, silent.url))
      .to.deep.include({ outcome })
      .and.not.have.property('errorDetail');
  });

  it('returns an outcome for a request that cannot be sent', async () => {
    const { url, requests } = await listen(ok());
    const refused = await patient.post({ ...CALLER, url, headers: { 'x-odd': 'a\r\nb' }, body: '{}' });
    expect(refused).to.deep.include({ outcome: unreachable('network') });
    expect(requests).to.deep.equal([]);
  });

  it('ends requests in flight when it is closed', async () => {
    const { url, requests } = await listen(hang);
    const running = post(patient, url);
    await eventually(() => expect(requests).to.have.length(1));
    await patient.close();
    expect((await running).outcome).to.deep.equal(unreachable('network'));
    patient = createPoster({ egress: EGRESS, ...PATIENT });
  });
});

function expectInTime({ durationMs }: Posted): void {
  expect(durationMs)
    .to.be.a('number')
    .below(HASTY.deadlineMs + HASTY.bodyDeadlineMs + SLACK_MS);
}

function memoryInUse(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
