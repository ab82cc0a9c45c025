import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { createClient } from '../src/client.js';
import type { StreamDisconnection, StreamOptions } from '../src/stream.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const NOW = new Date('2026-11-27T22:30:00.000Z');
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

describe('a stream of the typed client', () => {
  const server = createServer();
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const streamFrom = (signal: AbortSignal, options: StreamOptions = {}) => {
    const { port } = server.address() as AddressInfo;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      workspace: 'acme',
      token: 'prt_x',
      retry: { times: 0, now: () => NOW.getTime() },
    });
    return client.stream({}, { signal, ...options });
  };
  /** Answers the connections in turn. @returns the ids behind which they continue */
  const serve = (...answers: readonly ((response: ServerResponse) => void)[]) => {
    const continuedFrom: (string | undefined)[] = [];
    server.removeAllListeners('request');
    server.on('request', ({ headers }, response) => {
      continuedFrom.push(headers['last-event-id'] as string | undefined);
      answers[continuedFrom.length - 1]?.(response);
    });
    return continuedFrom;
  };
  const show = (text: string) => (response: ServerResponse) => {
    response.writeHead(200, EVENT_STREAM).end(text);
  };
  const refuse = (status: number) => (response: ServerResponse) => {
    response.writeHead(status).end();
  };
  const message = (id: string) => `event: delivery.created\nid: ${id}\ndata: {}\n\n`;

  // Regression: it forgot where it was, and what happened meanwhile was missing without a reset.
  it('continues where it was when a connection ends before its first id', async () => {
    const continuedFrom = serve(
      show(message('1')),
      show('event: end\ndata: {"reason":"shutdown"}\n\n'),
      show(`event: reset\ndata: {}\n\n`),
      show(message('2')),
    );
    const stopping = new AbortController();
    const stream = streamFrom(stopping.signal);
    const types = [];
    for (let n = 0; n < 3; n += 1) types.push((await stream.next()).value?.type);
    stopping.abort();
    expect(types).to.deep.equal(['delivery.created', 'reset', 'delivery.created']);
    expect(continuedFrom).to.deep.equal([undefined, '1', '1', '1']);
  }).timeout(10_000);

  // Regression: a stream that was stopped before its first message could not be resumed.
  it('reports each position, also one without a message, once everything before it was handled', async () => {
    const keepAlive = (id: string) => `: keep-alive\nid: ${id}\n\n`;
    serve(
      show(`${keepAlive('1')}${keepAlive('1')}${message('2')}${keepAlive('3')}event: reset\ndata: {}\n\n`),
    );
    const stopping = new AbortController();
    const positions: string[] = [];
    const stream = streamFrom(stopping.signal, { onPosition: (id) => positions.push(id) });
    expect((await stream.next()).value).to.include({ type: 'delivery.created', id: '2' });
    expect(positions).to.deep.equal(['1']);
    expect((await stream.next()).value).to.include({ type: 'reset' });
    expect(positions).to.deep.equal(['1', '2', '3']);
    stopping.abort();
  });

  // Regression: such a message was dropped, and the stream continued behind it.
  it('yields data with line and paragraph separators, which JSON does not escape', async () => {
    const data = { text: 'a\u2028b\u2029c' };
    serve(show(`event: event.published\nid: 1\ndata: ${JSON.stringify(data)}\n\n${message('2')}`));
    const stopping = new AbortController();
    const { value } = await streamFrom(stopping.signal).next();
    stopping.abort();
    expect(value).to.deep.equal({ type: 'event.published', id: '1', data });
  });

  // Regression: an error of a proxy during a restart ended it.
  it('connects again after the error of a proxy, and ends when it is refused', async () => {
    serve(show(message('1')), refuse(502), show(message('2')), refuse(403));
    const stream = streamFrom(new AbortController().signal);
    expect((await stream.next()).value).to.include({ id: '1' });
    expect((await stream.next()).value).to.include({ id: '2' });
    const error = await stream.next().catch((refusal: unknown) => refusal);
    expect(error).to.include({ status: 403 });
  }).timeout(10_000);

  it('reports each time that it is not connected, with the last contact, unless it is stopped', async () => {
    serve(show(message('1')), refuse(502), show(message('2')));
    const stopping = new AbortController();
    const disconnections: StreamDisconnection[] = [];
    const stream = streamFrom(stopping.signal, { onDisconnect: (one) => disconnections.push(one) });
    await stream.next();
    expect(disconnections).to.deep.equal([]);
    await stream.next();
    expect(disconnections).to.have.length(2);
    expect(disconnections[0]).to.deep.equal({ error: null, lastContactAt: NOW });
    expect(disconnections[1]?.error).to.include({ status: 502 });
    expect(disconnections[1]?.lastContactAt).to.deep.equal(NOW);
    stopping.abort();
    await stream.next().catch(() => {});
    expect(disconnections).to.have.length(2);
  }).timeout(10_000);

  it('throws the error of its first connection, unless temporary ones are to be retried', async () => {
    const { signal } = new AbortController();
    for (const status of [429, 503]) {
      serve(refuse(status), show(message('1')));
      const error = await streamFrom(signal)
        .next()
        .catch((refusal: unknown) => refusal);
      expect(error).to.include({ status });
    }
    serve(refuse(429), refuse(503), show(message('1')), refuse(403));
    const disconnections: StreamDisconnection[] = [];
    const stream = streamFrom(signal, {
      firstFailure: 'retry',
      onDisconnect: (one) => disconnections.push(one),
    });
    expect((await stream.next()).value).to.include({ id: '1' });
    expect(
      disconnections.map(({ error, lastContactAt }) => [(error as { status: number }).status, lastContactAt]),
    ).to.deep.equal([
      [429, null],
      [503, null],
    ]);
    const refused = await stream.next().catch((refusal: unknown) => refusal);
    expect(refused).to.include({ status: 403 });
    serve(refuse(403));
    const first = streamFrom(signal, { firstFailure: 'retry' });
    expect(await first.next().catch((refusal: unknown) => refusal)).to.include({ status: 403 });
  }).timeout(20_000);

  // Regression: its connection stayed open when the request had been collected as garbage meanwhile.
  it('closes its connection when it is stopped, however old it is', async () => {
    const { port } = server.address() as AddressInfo;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, workspace: 'acme', token: 'prt_x' });
    const stopping = new AbortController();
    const stream = client.stream({}, { signal: stopping.signal });
    const first = stream.next();
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    response.writeHead(200, EVENT_STREAM);
    response.write('event: reset\nid: 1\ndata: {}\n\n');
    expect((await first).value).to.include({ type: 'reset', id: '1' });
    const second = stream.next().catch((error: unknown) => error);
    for (let n = 0; n < 3; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
    }
    const closed = once(response, 'close');
    stopping.abort();
    await closed;
    expect(await second).to.equal(stopping.signal.reason);
  });
});
