import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { steadyCalls } from './steady-calls.js';

interface Seen {
  readonly key: string;
  readonly trace: string;
}

/** A process that notes what it was asked, and answers 202 or as it is told. */
async function aProcess(answer: 'accepts' | 'breaks' | 'refuses' = 'accepts') {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const { 'idempotency-key': key, traceparent } = request.headers;
    seen.push({ key: `${key}`, trace: `${traceparent}`.slice(3, 35) });
    if (answer === 'breaks') response.destroy();
    else response.writeHead(answer === 'accepts' ? 202 : 409).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

describe('steady calls to the api', () => {
  const ended: (() => Promise<unknown>)[] = [];
  const start = async (answer?: 'accepts' | 'breaks' | 'refuses') => {
    const one = await aProcess(answer);
    ended.push(one.end);
    return one;
  };
  const calling = (origins: () => readonly string[]) =>
    steadyCalls({
      origins,
      secret: 's',
      perSecond: 200,
      ask: () => ({ method: 'POST', path: '/', status: 202 }),
    });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  afterEach(() => Promise.all(ended.splice(0).map((end) => end())));

  it('are spread over all processes, and every accepted one is told with its trace', async () => {
    const [one, other] = [await start(), await start()];
    const end = calling(() => [one.origin, other.origin]);
    await until(() => one.seen.length >= 4 && other.seen.length >= 4);
    const { accepted, latenciesMs, triedAgain, refused } = await end();
    const traces = [...one.seen, ...other.seen].map(({ trace }) => trace);
    expect(accepted.map(({ traceId }) => traceId)).to.have.members(traces);
    expect(new Set(traces)).to.have.property('size', traces.length);
    expect(latenciesMs).to.have.length(accepted.length);
    expect({ triedAgain, refused }).to.deep.equal({ triedAgain: 0, refused: [] });
  });

  it('go to another process when one breaks the connection, as the same call', async () => {
    const [broken, sound] = [await start('breaks'), await start()];
    let routed = [broken.origin];
    const end = calling(() => routed);
    await until(() => broken.seen.length > 0);
    routed = [sound.origin];
    const { accepted, triedAgain, refused } = await end();
    expect(refused).to.deep.equal([]);
    expect(triedAgain).to.be.at.least(broken.seen.length);
    expect(sound.seen).to.deep.include(broken.seen[0]);
    expect(accepted).to.have.length(sound.seen.length);
  });

  it('go to another process when one has gone', async () => {
    const [gone, there] = [await start(), await start()];
    let routed = [gone.origin];
    const end = calling(() => routed);
    await until(() => gone.seen.length >= 4);
    routed = [there.origin];
    await gone.end();
    await until(() => there.seen.length >= 4);
    const { refused } = await end();
    expect(refused).to.deep.equal([]);
  });

  it('stay with a process that gets no new connections any more', async () => {
    const [old, young] = [await start(), await start()];
    let routed = [old.origin];
    const end = calling(() => routed);
    // All connections are open by then.
    await until(() => old.seen.length >= 16);
    routed = [young.origin];
    await until(() => old.seen.length >= 32);
    await end();
    expect(young.seen).to.deep.equal([]);
  });

  it('are told of when they are refused', async () => {
    const one = await start('refuses');
    const end = calling(() => [one.origin]);
    await until(() => one.seen.length > 0);
    const { accepted, refused } = await end();
    expect(accepted).to.deep.equal([]);
    expect(new Set(refused)).to.deep.equal(new Set(['409']));
  });
});
