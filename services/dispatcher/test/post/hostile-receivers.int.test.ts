import type { Socket } from 'node:net';
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
import type { PostResult } from '../../src/ports/poster.js';
import { type ClosablePoster, createPoster } from '../../src/post/poster.js';
import { SELF_SIGNED } from './certificate.js';

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
const say =
  (text: string): Act =>
  (socket) =>
    socket.write(text);
const sayAndClose =
  (text: string): Act =>
  (socket) =>
    socket.end(text);
const hang: Act = () => {};

type Case = readonly [what: string, answer: Act, outcome: object];

const MAKES_US_WAIT: readonly Case[] = [
  ['accepts and hangs', hang, unreachable('timeout')],
  ['drips its headers', (socket) => drip(socket, `${HEAD}x: y\r\n\r\n`), unreachable('timeout')],
  ['says 103 and then nothing', say('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), unreachable('timeout')],
  ['begins its body and hangs', say(`${HEAD}content-length: 9\r\n\r\nok`), answered(200, null)],
];

const ENDLESS_1XX: Act = (socket) => sendForever(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n');
const ENDLESS_HEADER: Act = (socket) => sendForever(socket, `${HEAD}x: ${'y'.repeat(60_000)}`);
const UPGRADE = 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const TWO_KIB = 'x'.repeat(2_048);

const SAYS_NONSENSE: readonly Case[] = [
  ['says 1xx for ever', ENDLESS_1XX, unreachable('network')],
  ['ends with 100', sayAndClose('HTTP/1.1 100 Continue\r\n\r\n'), unreachable('network')],
  ['ends with 101', say(UPGRADE), unreachable('network')],
  ['says status 099', say('HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n'), unreachable('network')],
  ['says 10,000 headers', say(`${HEAD}${'x-filler: value\r\n'.repeat(10_000)}\r\n`), unreachable('network')],
  ['says one header without end', ENDLESS_HEADER, unreachable('network')],
  ['speaks something else', say('SSH-2.0-OpenSSH_9.2\r\n'), unreachable('network')],
  ['closes before it answers', (socket) => socket.end(), unreachable('connection_reset')],
  ['closes inside the status line', sayAndClose('HTTP/1.1 2'), unreachable('connection_reset')],
  ['closes after 103', sayAndClose('HTTP/1.1 103 Early Hints\r\n\r\n'), unreachable('connection_reset')],
  ['resets', (socket) => socket.resetAndDestroy(), unreachable('connection_reset')],
  ['says status 999', say('HTTP/1.1 999 X\r\ncontent-length: 2\r\n\r\nno'), answered(999, 'no')],
  ['says nothing but the status', say('HTTP/1.1 204 No Content\r\n\r\n'), answered(204, '')],
  ['ends its body by closing', sayAndClose(`${HEAD}connection: close\r\n\r\nok`), answered(200, 'ok')],
  ['cuts its body off', sayAndClose(`${HEAD}content-length: 9\r\n\r\nok`), answered(200, null)],
  ['cuts a chunked body off', sayAndClose(`${CHUNKED}5\r\nhel`), answered(200, null)],
  ['spoils a chunked body', say(`${CHUNKED}2\r\nok\r\nzz\r\n`), answered(200, null)],
  ['answers twice', say(`${HEAD}content-length: 2\r\n\r\nok`.repeat(2)), answered(200, 'ok')],
  ['hangs after 2 KiB', say(`${HEAD}content-length: 9999\r\n\r\n${TWO_KIB}`), answered(200, TWO_KIB)],
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
  const post = (sut: ClosablePoster, url: string) => sut.post({ url, headers: {}, body: '{}' });

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

  for (const [what, answer, outcome] of MAKES_US_WAIT) {
    it(`ends within its deadline when a receiver ${what}`, async () => {
      const { url } = await listen(answer);
      const posted = await post(hasty, url);
      expect(posted.outcome).to.deep.equal(outcome);
      expectInTime(posted);
    });
  }

  for (const [what, answer, outcome] of SAYS_NONSENSE) {
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
      socket.write(`${HEAD}content-length: 500\r\n\r\n`);
      drip(socket, 'x'.repeat(500));
    });
    const posted = await post(hasty, url);
    expect(posted.outcome).to.deep.equal(answered(200, null));
    expectInTime(posted);
    await eventually(() => expect(connection?.destroyed).to.equal(true));
  });

  it('does not follow redirects', async () => {
    const inside = await listen(ok(), { host: '127.0.0.3' });
    const { url } = await listen(
      say(`HTTP/1.1 302 Found\r\nlocation: ${inside.url}\r\ncontent-length: 0\r\n\r\n`),
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
    expect((await post(patient, selfSigned.url)).outcome).to.deep.equal(unreachable('tls'));
    expect(selfSigned.requests).to.deep.equal([]);
  });

  it('distinguishes a server without TLS from one that closes during the handshake', async () => {
    const plain = await listen(say('HTTP/1.1 400 Bad Request\r\n\r\n'), { eager: true });
    const closing = await listen((socket) => socket.destroy(), { eager: true });
    const secure = ({ url }: HostileReceiver) => url.replace('http:', 'https:');
    expect((await post(patient, secure(plain))).outcome).to.deep.equal(unreachable('tls'));
    expect((await post(patient, secure(closing))).outcome).to.deep.equal(unreachable('connection_reset'));
  });

  it('returns an outcome for a request that cannot be sent', async () => {
    const { url, requests } = await listen(ok());
    expect((await patient.post({ url, headers: { 'x-odd': 'a\r\nb' }, body: '{}' })).outcome).to.deep.equal(
      unreachable('network'),
    );
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

function expectInTime({ durationMs }: PostResult): void {
  expect(durationMs)
    .to.be.a('number')
    .below(HASTY.deadlineMs + HASTY.bodyDeadlineMs + SLACK_MS);
}

function memoryInUse(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
