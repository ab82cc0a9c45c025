import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import { type HostileReceiver, ok, startHostileReceiver } from '@postrider/shared/testing/hostile-receiver';
import { nameServer } from '@postrider/shared/testing/name-server';
import type { Listening } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { createPoster, type PosterOptions } from '../../src/post/poster.js';
import { SELF_SIGNED } from './certificate.js';
import { CALLER, postTo, requestTo } from './post-to.js';

const NETWORK_ERROR = { kind: 'unreachable', reason: 'network' };
const POSTPONED = { kind: 'postponed', cause: 'proxy', forMs: 1_000 };
const DELIVERED = { kind: 'answered', httpStatus: 200, responseBody: 'ok' };
/** 127.0.0.2 represents the public internet. */
const EGRESS = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.2/32'], allowHosts: [] });

interface Proxy {
  readonly url: URL;
  /** The heads of all requests. */
  readonly heads: string[];
  close(): Promise<void>;
}

/** A forward proxy that answers CONNECT with `status`, and forwards bytes if that is 2xx; it does not answer for `silentFor`. */
async function startProxy(status = '200 OK', silentFor = ''): Promise<Proxy> {
  const heads: string[] = [];
  const server: Server = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (bytes) => {
      const head = bytes.toString('latin1');
      heads.push(head);
      if (silentFor !== '' && head.includes(silentFor)) return;
      if (!status.startsWith('2')) {
        client.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const [, host = '', port = ''] = /^CONNECT ([\d.]+):(\d+) /.exec(head) ?? [];
      const upstream = connect(Number(port), host, () => {
        client.write(`HTTP/1.1 ${status}\r\n\r\n`);
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => client.destroy());
    });
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.3', listens));
  const { port } = server.address() as { port: number };
  const close = () => new Promise<void>((closed) => server.close(() => closed()));
  return { url: new URL(`http://127.0.0.3:${port}`), heads, close };
}

interface SecureProxy {
  readonly url: URL;
  /** The names that clients asked for. */
  readonly names: string[];
  /** What was sent over TLS. */
  readonly received: string[];
  close(): Promise<void>;
}

/** A server with TLS at `localhost`, whose certificate is for another name and not trusted. */
async function startSecureProxy(): Promise<SecureProxy> {
  const [names, received]: [string[], string[]] = [[], []];
  const context = createSecureContext(SELF_SIGNED);
  const server = createTlsServer({
    SNICallback: (name, callback) => {
      names.push(name);
      callback(null, context);
    },
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (client) => {
    client.on('error', () => {});
    client.on('data', (bytes) => received.push(bytes.toString('latin1')));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((closed) => server.close(() => closed()));
  return { url: new URL(`https://post:secret@localhost:${port}`), names, received, close };
}

describe('poster with a forward proxy', () => {
  const opened: { close: () => Promise<void> }[] = [];
  const keep = <T extends { close: () => Promise<void> }>(one: T): T => {
    opened.push(one);
    return one;
  };
  const listen = async (listening: Listening = {}): Promise<HostileReceiver> =>
    keep(await startHostileReceiver(ok(), { host: '127.0.0.2', ...listening }));
  const newPoster = (proxy: URL, overrides: Partial<PosterOptions> = {}) => {
    const limits = { deadlineMs: 5_000, bodyDeadlineMs: 2_000, bodyLimitBytes: 2_048 };
    return keep(createPoster({ egress: EGRESS, proxy, ...limits, ...overrides }));
  };

  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  it('asks for the checked address and sends nothing else outside the tunnel', async () => {
    const names = keep(await nameServer(() => ({ addresses: ['127.0.0.1', '127.0.0.2'] })));
    const proxy = keep(await startProxy());
    const { port, requests } = await listen();
    const sut = newPoster(proxy.url, { nameServers: [names.address] });
    const url = `http://hook.example:${port}/secret-path`;
    const posted = await sut.post({ ...CALLER, url, headers: { 'webhook-id': 'whd_1' }, body: '{}' });
    expect(posted).to.deep.include({ outcome: DELIVERED, remoteAddress: '127.0.0.2' });
    expect(proxy.heads).to.deep.equal([
      `CONNECT 127.0.0.2:${port} HTTP/1.1\r\nhost: 127.0.0.2:${port}\r\nConnection: close\r\n\r\n`,
    ]);
    expect(requests[0]).to.match(/^POST \/secret-path HTTP\/1.1\r\nhost: hook\.example/);
  });

  it('uses the tunnel after any 2xx of the proxy', async () => {
    const proxy = keep(await startProxy('204 No Content'));
    const { url } = await listen();
    expect((await postTo(newPoster(proxy.url), { url })).outcome).to.deep.equal(DELIVERED);
  });

  it('reaches another address within the deadline when the proxy does not reach the first', async () => {
    const addresses = ['127.0.0.4', '127.0.0.2'];
    const names = keep(await nameServer(() => ({ addresses })));
    const proxy = keep(await startProxy('200 OK', 'CONNECT 127.0.0.4:'));
    const { port } = await listen();
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.0/8'], allowHosts: [] });
    const sut = newPoster(proxy.url, { nameServers: [names.address], egress, deadlineMs: 2_000 });
    const { outcome } = await postTo(sut, { url: `http://hook.example:${port}/` });
    expect(outcome).to.deep.equal(DELIVERED);
  });

  it('verifies the certificate of the receiver through the tunnel, and reuses it', async () => {
    const proxy = keep(await startProxy());
    const egress = createEgress({ allowHttp: false, allowCidrs: ['127.0.0.1/32'], allowHosts: [] });
    const { url, connections } = await listen({ host: '127.0.0.1', tls: SELF_SIGNED });
    const trusting = newPoster(proxy.url, { egress, ca: SELF_SIGNED.cert });
    for (let sent = 0; sent < 3; sent += 1)
      expect(await postTo(trusting, { url })).to.deep.include({
        outcome: DELIVERED,
        remoteAddress: '127.0.0.1',
      });
    expect(connections).to.have.length(1);
    const strict = newPoster(proxy.url, { egress });
    expect(await postTo(strict, { url })).to.deep.include({
      outcome: { kind: 'unreachable', reason: 'tls' },
      errorDetail: 'self_signed',
      remoteAddress: '127.0.0.1',
    });
  });

  it('asks for no address that is not admitted', async () => {
    const names = keep(await nameServer(() => ({ addresses: ['10.0.0.1', '::1'] })));
    const proxy = keep(await startProxy());
    const sut = newPoster(proxy.url, { nameServers: [names.address] });
    const result = await sut.post(requestTo('http://inside.example/'));
    expect(result).to.deep.equal({ kind: 'unsendable', reason: 'blocked_address' });
    expect(proxy.heads).to.deep.equal([]);
  });

  for (const status of ['403 Forbidden', '502 Bad Gateway']) {
    it(`reports a network error if the proxy answers ${status}`, async () => {
      const proxy = keep(await startProxy(status));
      const { url, requests } = await listen();
      expect((await postTo(newPoster(proxy.url), { url })).outcome).to.deep.equal(NETWORK_ERROR);
      expect(requests).to.deep.equal([]);
    });
  }

  // Regression: these counted as failures of the receivers, and a small installation disabled all endpoints.
  it('postpones POSTs, whatever addresses their receivers have, if the proxy is unreachable', async () => {
    const addresses = ['127.0.0.4', '127.0.0.2'];
    const names = keep(await nameServer(() => ({ addresses })));
    const egress = createEgress({ allowHttp: true, allowCidrs: ['127.0.0.0/8'], allowHosts: [] });
    const proxy = await startProxy();
    await proxy.close();
    const failures: string[] = [];
    const onProxyFailure = ({ message }: Error) => void failures.push(message);
    const sut = newPoster(proxy.url, { nameServers: [names.address], egress, onProxyFailure });
    expect(await sut.post(requestTo('http://hook.example/'))).to.deep.equal(POSTPONED);
    expect(failures).to.deep.equal(['the proxy is unreachable: ECONNREFUSED']);
  });

  it('postpones POSTs if the proxy refuses its user name and password', async () => {
    const proxy = keep(await startProxy('407 Proxy Authentication Required'));
    const { url, requests } = await listen();
    expect(await newPoster(proxy.url).post(requestTo(url))).to.deep.equal(POSTPONED);
    expect(requests).to.deep.equal([]);
  });

  it('names a proxy with TLS, and sends nothing to it unless its certificate is trusted', async () => {
    const proxy = keep(await startSecureProxy());
    const failures: string[] = [];
    const onProxyFailure = ({ message }: Error) => void failures.push(message);
    const { url } = await listen();
    expect(await newPoster(proxy.url, { onProxyFailure }).post(requestTo(url))).to.deep.equal(POSTPONED);
    expect(proxy).to.deep.include({ names: ['localhost'], received: [] });
    expect(failures).to.deep.equal(['the proxy is unreachable: DEPTH_ZERO_SELF_SIGNED_CERT']);
  });

  it('authenticates with the user name and password of its URL', async () => {
    const proxy = keep(await startProxy());
    const { url } = await listen();
    const withPassword = new URL(proxy.url);
    withPassword.username = 'post';
    withPassword.password = 'p@ss';
    await postTo(newPoster(withPassword), { url });
    const credentials = Buffer.from('post:p@ss').toString('base64');
    expect(proxy.heads[0]).to.include(`proxy-authorization: Basic ${credentials}\r\n`);
  });
});
