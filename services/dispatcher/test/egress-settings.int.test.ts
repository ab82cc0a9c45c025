import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import { type NameServer, nameServer } from '@postrider/shared/testing/name-server';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

/** A local address that is allowed, as all of them are in tests, and denied. */
const DENIED = '127.0.0.9';
/** The address of every name at the configured name server. */
const NAMED = '127.0.0.7';

describe('dispatcher with restricted egress', () => {
  let here: DispatcherWorld;
  let proxy: Server;
  let names: NameServer;
  /** The destinations that the proxy was asked for. */
  const asked: string[] = [];
  before(async () => {
    proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    names = await nameServer(() => ({ addresses: [NAMED] }));
    here = await dispatcherWorld({
      EGRESS_PROXY: `http://127.0.0.1:${port}`,
      EGRESS_NAME_SERVERS: names.address,
      EGRESS_DENY_CIDRS: `${DENIED}/32`,
    });
  });
  after(async () => {
    await here?.stop();
    await names?.close();
    proxy?.close();
  });

  it('reaches receivers only through the proxy of EGRESS_PROXY', async () => {
    await here.endpoint('hook');
    await here.changePlan();
    const { host } = new URL(here.receiver.url);
    await eventually(() => expect(asked).to.include(host));
    expect(here.posts('hook')).to.have.length(0);
  });

  it('looks up names at the name servers of EGRESS_NAME_SERVERS', async () => {
    const { port } = new URL(here.receiver.url);
    await here.endpoint('named', { url: `http://hook.example.com:${port}/named` });
    await here.changePlan();
    await eventually(() => expect(asked).to.include(`${NAMED}:${port}`));
  });

  it('sends nothing to ranges of EGRESS_DENY_CIDRS', async () => {
    const { port } = new URL(here.receiver.url);
    const id = await here.endpoint('hook', { url: `http://${DENIED}:${port}/hook` });
    await here.changePlan();
    await eventually(async () =>
      expect(await here.row(id)).to.include({ status: 'failed_permanent', failureReason: 'invalid_url' }),
    );
    expect(asked).to.not.include(`${DENIED}:${port}`);
  });
});
