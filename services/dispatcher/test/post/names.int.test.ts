import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { sleep } from '@postrider/shared/runtime/sleep';
import { eventually } from '@postrider/shared/testing/eventually';
import {
  type Act,
  type HostileReceiver,
  ok,
  startHostileReceiver,
} from '@postrider/shared/testing/hostile-receiver';
import { type NameServer, nameServer, type Reply } from '@postrider/shared/testing/name-server';
import { expect } from 'chai';
import { type ClosablePoster, createPoster, type PosterOptions } from '../../src/post/poster.js';
import { CALLER, postTo, requestTo } from './post-to.js';

/** 127.0.0.2 represents the public internet, all other local addresses represent internal ones. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
/** Where a receiver moves to. */
const MOVED = '127.0.0.3';
const EGRESS = createEgress({ allowHttp: true, allowCidrs: [`${OUTSIDE}/32`], allowHosts: [] });
const LOOKUP_DEADLINE_MS = 200;

const closing: Act = (socket) =>
  socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok');
const BLOCKED = { kind: 'unsendable', reason: 'blocked_address' };
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
  const urlOf = (name: string) => `http://${name}:${outside.port}/hook`;
  const post = (sut: ClosablePoster, name: string) => postTo(sut, { url: urlOf(name) });
  const resultOf = (sut: ClosablePoster, name: string) => sut.post(requestTo(urlOf(name)));

  beforeEach(async () => {
    // Many ports of the first address are in use, hardly any of the second.
    inside = keep(await startHostileReceiver(closing, { host: INSIDE }));
    outside = keep(await startHostileReceiver(closing, { host: OUTSIDE, port: inside.port }));
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

  it('limits the time of a lookup without affecting other names', async () => {
    const names = await servedBy((name) => (name === 'mute.example' ? 'silence' : { addresses: [OUTSIDE] }));
    const sut = posterWith(names);
    expect((await post(sut, 'other.example')).outcome).to.deep.equal(DELIVERED);
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
    expect(await resultOf(sut, 'rebind.example')).to.deep.equal(BLOCKED);
    expect(inside.connections).to.have.length(0);
  });

  it('blocks internal IPv6 addresses and mapped addresses', async () => {
    const names = await servedBy((name) => ({
      addresses: [name === 'six.example' ? '::1' : '::ffff:7f00:1'],
    }));
    const sut = posterWith(names);
    expect(await resultOf(sut, 'six.example')).to.deep.equal(BLOCKED);
    expect(await resultOf(sut, 'mapped.example')).to.deep.equal(BLOCKED);
    expect(inside.connections).to.have.length(0);
  });

  it('reports one reason for every address that is not public, whatever is there', async () => {
    const names = await servedBy((name) => ({ addresses: [name === 'used.example' ? INSIDE : '127.0.0.9'] }));
    const sut = posterWith(names);
    const unused = await startHostileReceiver(closing, { host: INSIDE });
    await unused.close();
    const silent = keep(await startHostileReceiver(() => {}, { host: INSIDE }));
    const urls = [
      urlOf('used.example'),
      urlOf('free.example'),
      `http://used.example:${unused.port}/`,
      `http://used.example:${silent.port}/`,
      `https://used.example:${inside.port}/`,
    ];
    for (const url of urls) expect(await sut.post(requestTo(url)), url).to.deep.equal(BLOCKED);
    expect(inside.connections).to.have.length(0);
  });

  it('connects only to the allowed addresses of a name', async () => {
    const names = await servedBy(() => ({ addresses: [INSIDE, '::1', OUTSIDE, '10.0.0.1'] }));
    const sut = posterWith(names, { lookupDeadlineMs: 4_000 });
    expect((await post(sut, 'both.example')).outcome).to.deep.equal(DELIVERED);
    expect(inside.connections).to.have.length(0);
  });

  it('tries the next address if one does not respond', async () => {
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.2/31'], allowHosts: [] });
    const names = await servedBy(() => ({ addresses: ['127.0.0.3', OUTSIDE] }));
    expect((await post(posterWith(names, { egress }), 'half.example')).outcome).to.deep.equal(DELIVERED);
  });

  it('does not wait for an address family without a response', async () => {
    const names = await servedBy(() => ({ addresses: [OUTSIDE], muteFor: 'IPv6' }));
    const lookupDeadlineMs = 4_000;
    const { outcome, durationMs } = await post(posterWith(names, { lookupDeadlineMs }), 'old.example');
    expect(outcome).to.deep.equal(DELIVERED);
    expect(durationMs).to.be.below(lookupDeadlineMs);
  });

  it('reaches an allowed host name at any address', async () => {
    const egress = createEgress({ allowHttp: true, allowCidrs: [], allowHosts: ['receiver'] });
    const names = await servedBy(() => ({ addresses: [INSIDE] }));
    const sut = posterWith(names, { egress });
    expect((await post(sut, 'receiver')).outcome).to.deep.equal(DELIVERED);
    expect(await resultOf(sut, 'other.example')).to.deep.equal(BLOCKED);
  });

  it('opens no connection when a lookup ends after the deadline', async () => {
    const names = await servedBy(() => 'silence');
    const sut = posterWith(names, { deadlineMs: 50, lookupDeadlineMs: 50 });
    const result = await sut.post({ ...CALLER, url: urlOf('late.example'), headers: {}, body: '{}' });
    expect(result).to.include({ cause: 'look_up' });
    expect(outside.connections).to.have.length(0);
  });

  it('uses the hosts file before DNS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'names-'));
    try {
      const hostsPath = join(folder, 'hosts');
      await writeFile(hostsPath, `${OUTSIDE} hook.example\n${INSIDE} inside.example\n`);
      const names = await servedBy(() => 'silence');
      const sut = posterWith(names, { hostsPath });
      expect((await post(sut, 'Hook.example')).outcome).to.deep.equal(DELIVERED);
      expect(await resultOf(sut, 'inside.example')).to.deep.equal(BLOCKED);
      expect(names.asked.size).to.equal(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('counts one failure for an endpoint and a lookup, and postpones its other deliveries', async () => {
    const names = await servedBy(() => 'no such name');
    const sut = posterWith(names);
    const posted = await Promise.all(
      Array.from({ length: 40 }, () =>
        sut.post({ ...CALLER, url: urlOf('gone.example'), headers: {}, body: '{}' }),
      ),
    );
    const later = await sut.post({ ...CALLER, url: urlOf('gone.example'), headers: {}, body: '{}' });
    expect(posted.filter(({ kind }) => kind !== 'postponed')).to.have.length(1);
    expect(later).to.have.property('forMs').that.is.within(1, 3_000);
    expect([...names.asked]).to.deep.equal([['gone.example', 1]]);
  });

  it('delivers to other names while 600 of one workspace get no answer', async () => {
    const names = await servedBy((name) =>
      name.startsWith('mute') ? 'silence' : { addresses: [OUTSIDE], ttlSeconds: 60 },
    );
    const sut = posterWith(names, { lookupDeadlineMs: 5_000, deadlineMs: 10_000 });
    const to = (name: string, workspaceId: string) =>
      sut.post({ workspaceId, endpointId: name, url: urlOf(name), headers: {}, body: '{}' });
    const muted = Array.from({ length: 600 }, (_, n) => to(`mute-${n}.example`, 'ws_mute'));
    const healthy = await Promise.all(
      Array.from({ length: 20 }, (_, n) => to(`hook-${n}.example`, 'ws_healthy')),
    );
    for (const result of healthy) {
      expect(result).to.have.deep.property('outcome', DELIVERED);
      expect(result).to.have.property('durationMs').that.is.below(4_000);
    }
    // Its turn comes when the lookups of the others have reached their deadline, so its own begins later.
    await sleep(1_000);
    const sameWorkspace = await to('hook.example', 'ws_mute');
    expect(sameWorkspace).to.have.deep.property('outcome', DELIVERED);
    await sut.close();
    await Promise.all(muted);
  });

  it('delivers to new and to known names although the name server stalls for 4 s', async () => {
    let stalled: Promise<unknown> = Promise.resolve();
    const names = await servedBy(async () => {
      await stalled;
      return { addresses: [OUTSIDE], ttlSeconds: 0 };
    });
    const sut = posterWith(names, { lookupDeadlineMs: 5_000, deadlineMs: 10_000 });
    await post(sut, 'known.example');
    stalled = new Promise((resolve) => setTimeout(resolve, 4_000));
    const [known, unknown] = await Promise.all([post(sut, 'known.example'), post(sut, 'new.example')]);
    expect(known).to.deep.include({ outcome: DELIVERED });
    expect(known.durationMs).to.be.below(3_500);
    expect(unknown.outcome).to.deep.equal(DELIVERED);
  });

  for (const failing of ['server failure', 'refused'] as const)
    it(`counts no failure while the name server says "${failing}" for every name, until it answers again`, async () => {
      let isDown = false;
      const names = await servedBy(() => (isDown ? failing : { addresses: [OUTSIDE], ttlSeconds: 60 }));
      const sut = posterWith(names);
      await post(sut, 'hook.example');
      isDown = true;
      for (const domain of ['a', 'b', 'c', 'd', 'e', 'f'])
        expect(await resultOf(sut, `hook.${domain}.example`)).to.include({
          kind: 'postponed',
          cause: 'look_up',
        });
      isDown = false;
      expect((await post(sut, 'hook.g.example')).outcome).to.deep.equal(DELIVERED);
    });

  it('counts the failures of one broken domain from the second lookup on, whatever name is looked up', async () => {
    const names = await servedBy((name) =>
      name.endsWith('broken.example') ? 'server failure' : { addresses: [OUTSIDE], ttlSeconds: 60 },
    );
    const sut = posterWith(names);
    await post(sut, 'hook.example');
    const broken = Array.from({ length: 8 }, (_, name) => `hook${name}.broken.example`);
    for (const name of broken) expect(await resultOf(sut, name)).to.include({ kind: 'postponed' });
    for (const name of broken)
      await eventually(async () => expect((await post(sut, name)).outcome).to.deep.equal(NO_NAME));
  });

  it('uses the last addresses while lookups fail, and not for a name that does not exist any more', async () => {
    let reply: Reply = { addresses: [OUTSIDE], ttlSeconds: 0 };
    const names = await servedBy(() => reply);
    const sut = posterWith(names);
    await post(sut, 'hook.example');
    await post(sut, 'gone.example');
    reply = 'silence';
    expect((await post(sut, 'hook.example')).outcome).to.deep.equal(DELIVERED);
    reply = 'no such name';
    expect((await post(sut, 'gone.example')).outcome).to.deep.equal(NO_NAME);
  });

  describe('whose receiver keeps connections', () => {
    const RESET = { kind: 'unreachable', reason: 'connection_reset' };
    let reply: Reply;
    let names: NameServer;
    let old: HostileReceiver;
    let ended: WeakSet<object>;
    let answersAfterMs: number;
    beforeEach(async () => {
      reply = { addresses: [OUTSIDE], ttlSeconds: 0 };
      names = await servedBy(() => reply);
      ended = new WeakSet();
      answersAfterMs = 0;
      const act: Act = (socket, request) => {
        if (ended.has(socket)) socket.destroy();
        else setTimeout(ok(), answersAfterMs, socket, request);
      };
      old = keep(await startHostileReceiver(act, { host: OUTSIDE }));
    });
    const posterTo = (overrides: Partial<PosterOptions> = {}) => {
      const egress = createEgress({ allowHttp: true, allowCidrs: [`${OUTSIDE}/31`], allowHosts: [] });
      const sut = posterWith(names, { egress, ...overrides });
      return () => postTo(sut, { url: `http://hook.example:${old.port}/hook` });
    };
    const move = async () => {
      reply = { addresses: [MOVED], ttlSeconds: 0 };
      return keep(await startHostileReceiver(ok(), { host: MOVED, port: old.port }));
    };
    /** Answers no more on the connections it has. */
    const endConnections = () => {
      for (const socket of old.connections) ended.add(socket);
    };

    it('looks it up for each new connection, and for no reused one', async () => {
      const send = posterTo();
      for (let sent = 0; sent < 3; sent += 1) await send();
      expect(names.asked.get('hook.example')).to.equal(1);
      await move();
      answersAfterMs = 300;
      const results = await Promise.all([send(), send()]);
      expect(results.map(({ remoteAddress }) => remoteAddress)).to.have.members([OUTSIDE, MOVED]);
      expect(names.asked.get('hook.example')).to.equal(2);
    });

    it('sends a POST again to the address to which it has moved', async () => {
      const send = posterTo();
      await send();
      await move();
      endConnections();
      expect(await send()).to.deep.include({ outcome: DELIVERED, remoteAddress: MOVED });
    });

    it('sends a POST again to the last address while lookups fail', async () => {
      const send = posterTo();
      await send();
      endConnections();
      reply = 'silence';
      expect(await send()).to.deep.include({ outcome: DELIVERED, remoteAddress: OUTSIDE });
    });

    it('does not send a POST again if the name is gone, or if no lookup ends before the deadline', async () => {
      let nowMs = 0;
      for (const failing of ['no such name', 'silence'] as const) {
        reply = { addresses: [OUTSIDE], ttlSeconds: 0 };
        const send = posterTo({ monotonicMs: () => nowMs, deadlineMs: 300, lookupDeadlineMs: 60_000 });
        await send();
        endConnections();
        nowMs += 2 * 3_600_000;
        reply = failing;
        expect((await send()).outcome).to.deep.equal(RESET);
      }
      expect(old.requests).to.have.length(4);
    });
  });

  it('cancels outstanding lookups when it is closed', async () => {
    const names = await servedBy(() => 'silence');
    const sut = posterWith(names, { lookupDeadlineMs: 60_000, deadlineMs: 60_000 });
    const running = sut.post({ ...CALLER, url: urlOf('mute.example'), headers: {}, body: '{}' });
    await eventually(() => expect(names.asked.get('mute.example')).to.equal(1));
    await sut.close();
    expect(await running).to.include({ cause: 'look_up' });
  });
});
