import { connect, type Socket } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { SECRETS, type TestApp, testApp } from './test-app.js';

const KIB = 1_024;
/** More than the buffers of a connection take, on both sides. */
const LARGE = { items: ['x'.repeat(16 * KIB * KIB)], nextCursor: null };

describe('large answers', () => {
  let app: TestApp;
  const opened: Socket[] = [];
  before(async () => {
    // A caller has room for one.
    app = await testApp({ answerBytes: 68 * KIB * KIB });
  });
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
    app.reset();
  });
  after(() => app?.close());

  /** Asks for a list, or something else, and reads nothing of the answer. */
  function ask(method = 'GET', path = '/workspaces/acme/webhooks'): Socket {
    const { port } = new URL(app.origin);
    const socket = connect(Number(port), '127.0.0.1').pause();
    opened.push(socket);
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${SECRETS.admin}\r\n\r\n`,
    );
    return socket;
  }
  const list = () => app.send('/workspaces/acme/webhooks');
  const REPLAY = '/workspaces/acme/webhooks/deliveries/whd_1/replay';
  const call = (name: string) => {
    const params = { name, arguments: { deliveryId: 'whd_1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const accept = 'application/json, text/event-stream';
    return app.send('/mcp', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept },
    });
  };

  it('that a client does not take leave no room for others of its workspace, until it disconnects', async () => {
    app.behave(() => LARGE);
    const socket = ask();
    await eventually(() => expect(app.reservedAnswerBytes()).to.be.above(16 * KIB * KIB));
    const { status, body, headers } = await list();
    expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([503, 'Unavailable', '5']);
    app.behave(() => ({ items: [], nextCursor: null }));
    expect((await list()).status, 'small ones are not counted').to.equal(200);
    app.behave(() => LARGE);
    socket.destroy();
    await eventually(async () => expect((await list()).status).to.equal(200));
    await eventually(() => expect(app.reservedAnswerBytes()).to.equal(0));
  });

  // Regression: the change was committed, and its caller got 503.
  it('of changes are sent although there is no room, and counted', async () => {
    app.behave(() => LARGE);
    ask();
    await eventually(() => expect(app.reservedAnswerBytes()).to.be.above(16 * KIB * KIB));
    ask('POST', REPLAY);
    await eventually(() => expect(app.reservedAnswerBytes()).to.be.above(32 * KIB * KIB));
    app.behave(() => ({ payload: 'x'.repeat(256 * KIB) }));
    const replayed = await app.send(REPLAY, { method: 'POST' });
    expect([replayed.status, Object.keys(replayed.body)]).to.deep.equal([202, ['payload']]);
    expect((await call('replay_webhook_delivery')).status).to.equal(200);
    expect((await call('get_webhook_delivery')).body.tag).to.equal('Unavailable');
  });

  it('take no room when the client has disconnected before', async () => {
    const working = Promise.withResolvers<object>();
    app.behave(() => working.promise);
    const socket = ask();
    await eventually(() => expect(app.ran).to.have.length(1));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    working.resolve(LARGE);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(app.reservedAnswerBytes()).to.equal(0);
  });
});
