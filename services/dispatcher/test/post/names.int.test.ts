import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { eventually } from '@postrider/shared/testing/eventually';
import {
  type Act,
  type HostileReceiver,
  startHostileReceiver,
} from '@postrider/shared/testing/hostile-receiver';
import { type NameServer, nameServer, type Reply } from '@postrider/shared/testing/name-server';
import { expect } from 'chai';
import { type ClosablePoster, createPoster, type PosterOptions } from '../../src/post/poster.js';

/** 127.0.0.2 represents the public internet, all other local addresses represent internal ones. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const EGRESS = createEgress({ allowHttp: true, allowCidrs: [`${OUTSIDE}/32`], allowHosts: [] });
const LOOKUP_DEADLINE_MS = 200;

const closing: Act = (socket) =>
  socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok');
const BLOCKED = { outcome: { kind: 'unsendable', reason: 'blocked_address' }, durationMs: null };
const DELIVERED = { kind: 'answered', httpStatus: 200, responseBody: 'ok' };
const NO_NAME = { kind: 'unreachable', reason: 'dns' };

describe('poster with names', () => {
  let outside: HostileReceiver;
  let inside: HostileReceiver;
  const opened: { close: () => Promise<void> }[] = [];
  const keep = <T extends { close: () => Promise<void> }>(one: T): T => {
    opened.unshift(one);
    return one;
  };

  const servedBy = async (reply: (name: string) => Reply | Promise<Reply>) => keep(await nameServer(reply));
  const posterWith = (names: NameServer, overrides: Partial<PosterOptions> = {}): ClosablePoster =>
    keep(
      createPoster({
        egress: EGRESS,
        deadlineMs: 5_000,
        bodyDeadlineMs: 2_000,
        bodyLimitBytes: 2_048,
        lookupDeadlineMs: LOOKUP_DEADLINE_MS,
        nameServers: [names.address],
        hostsPath: '/nonexistent',
        ...overrides,
      }),
    );
  const post = (sut: ClosablePoster, name: string) =>
    sut.post({ url: `http://${name}:${outside.port}/hook`, headers: {}, body: '{}' });

  beforeEach(async () => {
    outside = keep(await startHostileReceiver(closing, { host: OUTSIDE }));
    inside = keep(await startHostileReceiver(closing, { host: INSIDE, port: outside.port }));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it('resolves a name in any case and with a final dot', async () => {
    const names = await servedBy(() => ({ addresses: [OUTSIDE], ttlSeconds: 60 }));
    const sut = posterWith(names);
    for (const name of ['hook.example', 'HOOK.example', 'hook.example.']) {
      expect((await post(sut, name)).outcome).to.deep.equal(DELIVERED);
    }
    expect(outside.connections).to.have.length(3);
    expect([...names.asked]).to.deep.equal([['hook.example', 1]]);
  });

  it('looks a name up again if its time to live is 0', async () => {
    const names = await servedBy(() => ({ addresses: [OUTSIDE], ttlSeconds: 0 }));
    const sut = posterWith(names);
    for (let sent = 0; sent < 3; sent += 1) await post(sut, 'hook.example');
    expect(names.asked.get('hook.example')).to.equal(3);
  });

  it('reports an unknown name and a name without addresses', async () => {
    const names = await servedBy((name) => (name === 'gone.example' ? 'no such name' : { addresses: [] }));
    const sut = posterWith(names);
    expect((await post(sut, 'gone.example')).outcome).to.deep.equal(NO_NAME);
    expect((await post(sut, 'empty.example')).outcome).to.deep.equal(NO_NAME);
  });

  it('limits the time of a look-up without affecting other names', async () => {
    const names = await servedBy((name) => (name === 'mute.example' ? 'silence' : { addresses: [OUTSIDE] }));
    const sut = posterWith(names);
    const mute = post(sut, 'mute.example');
    expect((await post(sut, 'hook.example')).outcome).to.deep.equal(DELIVERED);
    const { outcome, durationMs } = await mute;
    expect(outcome).to.deep.equal(NO_NAME);
    expect(durationMs).to.be.within(LOOKUP_DEADLINE_MS - 1, 2_000);
  });

  it('blocks a name that changes to an internal address between two POSTs', async () => {
    let leadsTo = OUTSIDE;
    const names = await servedBy(() => ({ addresses: [leadsTo], ttlSeconds: 0 }));
    const sut = posterWith(names);
    expect((await post(sut, 'rebind.example')).outcome).to.deep.equal(DELIVERED);
    leadsTo = INSIDE;
    expect(await post(sut, 'rebind.example')).to.deep.include(BLOCKED);
    expect(inside.connections).to.have.length(0);
  });

  it('blocks internal IPv6 addresses and mapped addresses', async () => {
    const names = await servedBy((name) => ({
      addresses: [name === 'six.example' ? '::1' : '::ffff:7f00:1'],
    }));
    const sut = posterWith(names);
    expect(await post(sut, 'six.example')).to.deep.include(BLOCKED);
    expect(await post(sut, 'mapped.example')).to.deep.include(BLOCKED);
    expect(inside.connections).to.have.length(0);
  });

  it('connects only to the allowed addresses of a name', async () => {
    const names = await servedBy(() => ({ addresses: [INSIDE, '::1', OUTSIDE, '10.0.0.1'] }));
    expect((await post(posterWith(names), 'both.example')).outcome).to.deep.equal(DELIVERED);
    expect(inside.connections).to.have.length(0);
  });

  it('tries the next address if one does not respond', async () => {
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.2/31'], allowHosts: [] });
    const names = await servedBy(() => ({ addresses: ['127.0.0.3', OUTSIDE] }));
    expect((await post(posterWith(names, { egress }), 'half.example')).outcome).to.deep.equal(DELIVERED);
  });

  it('does not wait for an address family without a response', async () => {
    const names = await servedBy(() => ({ addresses: [OUTSIDE], muteFor: 'IPv6' }));
    const { outcome, durationMs } = await post(posterWith(names), 'old.example');
    expect(outcome).to.deep.equal(DELIVERED);
    expect(durationMs).to.be.below(LOOKUP_DEADLINE_MS);
  });

  it('reaches an allowed host name at any address', async () => {
    const egress = createEgress({ allowHttp: true, allowCidrs: [], allowHosts: ['receiver'] });
    const names = await servedBy(() => ({ addresses: [INSIDE] }));
    const sut = posterWith(names, { egress });
    expect((await post(sut, 'receiver')).outcome).to.deep.equal(DELIVERED);
    expect(await post(sut, 'other.example')).to.deep.include(BLOCKED);
  });

  it('sends nothing on a connection that is established after the deadline', async () => {
    let release: (reply: Reply) => void = () => {};
    const late = new Promise<Reply>((settle) => {
      release = settle;
    });
    const names = await servedBy(() => late);
    const sut = posterWith(names, { deadlineMs: 50, lookupDeadlineMs: 5_000 });
    const { outcome } = await post(sut, 'late.example');
    expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
    release({ addresses: [OUTSIDE] });
    await eventually(() =>
      expect(outside.connections.map((socket) => socket.destroyed)).to.deep.equal([true]),
    );
    expect(outside.connections[0]?.bytesRead).to.equal(0);
  });

  it('uses the hosts file before DNS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'names-'));
    try {
      const hostsPath = join(folder, 'hosts');
      await writeFile(hostsPath, `${OUTSIDE} hook.example\n${INSIDE} inside.example\n`);
      const names = await servedBy(() => 'silence');
      const sut = posterWith(names, { hostsPath });
      expect((await post(sut, 'Hook.example')).outcome).to.deep.equal(DELIVERED);
      expect(await post(sut, 'inside.example')).to.deep.include(BLOCKED);
      expect(names.asked.size).to.equal(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps at most 256 look-ups outstanding', async () => {
    const names = await servedBy(() => 'silence');
    const sut = posterWith(names, { lookupDeadlineMs: 60_000, deadlineMs: 60_000 });
    const running = Array.from({ length: 300 }, (_, n) => post(sut, `mute-${n}.example`));
    await eventually(() => expect(names.asked.size).to.equal(256));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(names.asked.size).to.equal(256);
    await sut.close();
    for (const { outcome } of await Promise.all(running))
      expect(outcome).to.deep.include({ kind: 'unreachable' });
  });

  it('cancels outstanding look-ups when it is closed', async () => {
    const names = await servedBy(() => 'silence');
    const sut = posterWith(names, { lookupDeadlineMs: 60_000, deadlineMs: 60_000 });
    const running = post(sut, 'mute.example');
    await eventually(() => expect(names.asked.get('mute.example')).to.equal(1));
    await sut.close();
    expect((await running).outcome).to.include({ kind: 'unreachable' });
  });
});
