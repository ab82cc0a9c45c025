import { eventually } from '@postrider/shared/testing/eventually';
import { type Answer, startTestReceiver, type TestReceiver } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { startCalls } from './steady-calls.js';

describe('steady API calls', () => {
  const servers: TestReceiver[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  const startServer = async (answer: Answer = { status: 202 }) => {
    const server = await startTestReceiver();
    servers.push(server);
    server.answer(() => answer);
    return server;
  };
  const untilSeen = ({ received }: TestReceiver, count: number) =>
    eventually(() => expect(received.length).to.be.at.least(count));
  const callsOf = ({ received }: TestReceiver) =>
    received.map(({ headers: { 'idempotency-key': key, traceparent = '' } }) => {
      return { key, traceId: traceparent.slice(3, 35) };
    });
  const start = (origins: () => readonly string[]) => {
    const request = () => ({ method: 'POST', path: '/', status: 202 }) as const;
    return startCalls({ origins, token: 's', perSecond: 200, request });
  };

  it('use all processes and return the trace id of every accepted call', async () => {
    const [one, other] = [await startServer(), await startServer()];
    const stop = start(() => [one.url, other.url]);
    await Promise.all([untilSeen(one, 4), untilSeen(other, 4)]);
    const { accepted, latenciesMs, retries, refused } = await stop();
    const traceIds = [one, other].flatMap(callsOf).map(({ traceId }) => traceId);
    expect(accepted.map(({ traceId }) => traceId)).to.have.members(traceIds);
    expect(new Set(traceIds).size).to.equal(latenciesMs.length);
    expect({ retries, refused }).to.deep.equal({ retries: 0, refused: [] });
  });

  it('repeat a call with the same key at another process if the connection breaks', async () => {
    const [broken, sound] = [await startServer('reset'), await startServer()];
    let origins = [broken.url];
    const stop = start(() => origins);
    await untilSeen(broken, 1);
    origins = [sound.url];
    const { accepted, retries, refused } = await stop();
    expect(refused).to.deep.equal([]);
    expect(retries).to.be.at.least(broken.received.length);
    expect(callsOf(sound)).to.deep.include(callsOf(broken)[0]);
    expect(accepted).to.have.length(sound.received.length);
  });

  it('continue at another process if one has ended', async () => {
    const [ended, other] = [await startServer(), await startServer()];
    let origins = [ended.url];
    const stop = start(() => origins);
    await untilSeen(ended, 4);
    origins = [other.url];
    await ended.close();
    await untilSeen(other, 4);
    expect((await stop()).refused).to.deep.equal([]);
  });

  it('stay with a process that gets no new connections', async () => {
    const [old, other] = [await startServer(), await startServer()];
    let origins = [old.url];
    const stop = start(() => origins);
    await untilSeen(old, 16);
    origins = [other.url];
    await untilSeen(old, 32);
    await stop();
    expect(other.received).to.deep.equal([]);
  });

  it('return the status of refused calls', async () => {
    const server = await startServer({ status: 409 });
    const stop = start(() => [server.url]);
    await untilSeen(server, 1);
    const { accepted, refused } = await stop();
    expect(accepted).to.deep.equal([]);
    expect(new Set(refused)).to.deep.equal(new Set(['409']));
  });
});
