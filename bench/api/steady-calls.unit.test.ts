import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { startCalls } from './steady-calls.js';

describe('steady API calls', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

  /** A server that records its requests, and answers with a status or breaks the connection. */
  const startServer = async (answer: 202 | 409 | 'break' = 202) => {
    const seen: { readonly key: string; readonly traceId: string }[] = [];
    const server = createServer(({ headers }, response) => {
      seen.push({ key: `${headers['idempotency-key']}`, traceId: `${headers.traceparent}`.slice(3, 35) });
      if (answer === 'break') response.destroy();
      else response.writeHead(answer).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    closers.push(close);
    const untilSeen = (count: number) => eventually(() => expect(seen.length).to.be.at.least(count));
    return { seen, untilSeen, close, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const start = (origins: () => readonly string[]) => {
    const request = () => ({ method: 'POST', path: '/', status: 202 }) as const;
    return startCalls({ origins, token: 's', perSecond: 200, request });
  };

  it('use all processes and return the trace id of every accepted call', async () => {
    const [one, other] = [await startServer(), await startServer()];
    const stop = start(() => [one.origin, other.origin]);
    await Promise.all([one.untilSeen(4), other.untilSeen(4)]);
    const { accepted, latenciesMs, retries, refused } = await stop();
    const traceIds = [...one.seen, ...other.seen].map(({ traceId }) => traceId);
    expect(accepted.map(({ traceId }) => traceId)).to.have.members(traceIds);
    expect(new Set(traceIds).size).to.equal(latenciesMs.length);
    expect({ retries, refused }).to.deep.equal({ retries: 0, refused: [] });
  });

  it('repeat a call with the same key at another process if the connection breaks', async () => {
    const [broken, sound] = [await startServer('break'), await startServer()];
    let origins = [broken.origin];
    const stop = start(() => origins);
    await broken.untilSeen(1);
    origins = [sound.origin];
    const { accepted, retries, refused } = await stop();
    expect(refused).to.deep.equal([]);
    expect(retries).to.be.at.least(broken.seen.length);
    expect(sound.seen).to.deep.include(broken.seen[0]);
    expect(accepted).to.have.length(sound.seen.length);
  });

  it('continue at another process if one has ended', async () => {
    const [ended, other] = [await startServer(), await startServer()];
    let origins = [ended.origin];
    const stop = start(() => origins);
    await ended.untilSeen(4);
    origins = [other.origin];
    await ended.close();
    await other.untilSeen(4);
    expect((await stop()).refused).to.deep.equal([]);
  });

  it('stay with a process that gets no new connections', async () => {
    const [old, other] = [await startServer(), await startServer()];
    let origins = [old.origin];
    const stop = start(() => origins);
    await old.untilSeen(16);
    origins = [other.origin];
    await old.untilSeen(32);
    await stop();
    expect(other.seen).to.deep.equal([]);
  });

  it('return the status of refused calls', async () => {
    const server = await startServer(409);
    const stop = start(() => [server.origin]);
    await server.untilSeen(1);
    const { accepted, refused } = await stop();
    expect(accepted).to.deep.equal([]);
    expect(new Set(refused)).to.deep.equal(new Set(['409']));
  });
});
