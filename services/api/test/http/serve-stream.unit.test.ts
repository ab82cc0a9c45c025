import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { mock } from 'node:test';
import { sleep } from '@postrider/shared/runtime/sleep';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import express from 'express';
import type { Problem } from '../../src/contract/problem.js';
import { accessLog, type RequestFacts } from '../../src/http/access-log.js';
import { deadline } from '../../src/http/deadline.js';
import { responseHeaders } from '../../src/http/response-headers.js';
import { serveStream } from '../../src/http/serve-stream.js';
import { startServer } from '../../src/http/server.js';
import { createOpenStreams } from '../../src/streams/open-streams.js';
import { recordedLog } from '../recorded-log.js';
import { fetchJson } from '../typed-client.js';

const QUERY = {
  source: 'deliveries',
  workspaceId: 'ws_1',
  endpointIds: null,
  eventType: null,
  withPayload: false,
} as const;

/** Serves streams of a topic that each of them joins once `joining` resolves. */
async function startStreams(deadlineMs = 10_000) {
  const joining = Promise.withResolvers<void>();
  const world = { joined: 0, left: 0, counted: 0, mayContinue: true, facts: [] as RequestFacts[], joining };
  const topic = {
    join: () => {
      world.joined += 1;
      return joining.promise;
    },
    leave: () => {
      world.left += 1;
    },
    positions: () => new Map(),
    close: async () => {},
  };
  const streams = createOpenStreams({
    topics: { deliveries: topic, events: topic },
    ids: { idOf: () => 'position', positionsOf: (_, id) => (id === 'usable' ? new Map() : null) },
    readPayloads: async () => new Map(),
    counts: {
      add: async () => {
        world.counted += 1;
        return world.counted;
      },
      remove: () => {
        world.counted -= 1;
      },
      renew: () => {},
      close: async () => {},
    },
    maxStreams: 10,
    monotonicMs: () => 0,
    onEvents: () => {},
    onEnd: () => {},
  });
  const log = recordedLog();
  const app = express()
    .use(responseHeaders)
    .use(accessLog({ log, observe: (facts) => world.facts.push(facts) }))
    .use(deadline(deadlineMs, log))
    .get('/stream', (request, response) =>
      serveStream(
        {
          streams,
          permit: { query: QUERY, recordOpening: async () => {} },
          caller: { credential: { id: 'tok_1' } as never },
          mayContinue: async () => world.mayContinue,
        },
        { request, response },
      ),
    );
  const server = await startServer({ host: '127.0.0.1', port: 0, listener: app });
  const url = `http://127.0.0.1:${server.port}/stream`;
  return {
    world,
    url,
    isJoining: () => eventually(() => expect(world.joined).to.equal(1)),
    async close() {
      await streams.close();
      await server.close(100);
    },
  };
}

describe('the response of a stream', () => {
  let served: Awaited<ReturnType<typeof startStreams>>;
  afterEach(() => served.close());

  /** @returns a request whose response may be there already */
  const open = (lastEventId?: string) => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const request = get(served.url, { headers });
    const seen: { response: IncomingMessage | null } = { response: null };
    request.on('response', (response) => {
      seen.response = response.resume();
    });
    return { request, seen };
  };

  // Regression: a client that saw the head and published at once could miss its own event.
  for (const [when, lastEventId] of [
    ['it is new', undefined],
    ['its id is unusable', 'unusable'],
  ] as const)
    it(`begins once new records are given to it if ${when}`, async () => {
      served = await startStreams();
      const { request, seen } = open(lastEventId);
      await served.isJoining();
      await sleep(20);
      expect(seen.response).to.equal(null);
      const answered = once(request, 'response');
      served.world.joining.resolve();
      await answered;
      expect([seen.response?.statusCode, seen.response?.headers['content-type']]).to.deep.equal([
        200,
        'text/event-stream',
      ]);
      request.destroy();
    });

  it('begins at once if it resumes', async () => {
    served = await startStreams();
    const { request, seen } = open('usable');
    await once(request, 'response');
    expect(seen.response?.statusCode).to.equal(200);
    request.destroy();
  });

  for (const [name, deadlineMs, fail] of [
    ['if the stream cannot be connected', 10_000, () => served.world.joining.reject(new Error('no broker'))],
    ['by the deadline', 50, () => {}],
  ] as const)
    it(`is 503 ${name}, and frees its place`, async () => {
      served = await startStreams(deadlineMs);
      const answer = fetchJson<Problem>(served.url);
      await served.isJoining();
      fail();
      const { status, body, headers } = await answer;
      expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([503, 'Unavailable', '5']);
      const { world } = served;
      await eventually(() =>
        expect([world.left, world.counted, world.facts[0]?.status]).to.deep.equal([1, 0, 503]),
      );
      world.joining.resolve();
      await nextTurn();
    });

  it('is 401 if its token ends before it begins', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      served = await startStreams();
      const answer = fetchJson<Problem>(served.url);
      await served.isJoining();
      served.world.mayContinue = false;
      mock.timers.tick(3_000);
      const { status, body, headers } = await answer;
      expect([status, body.tag, headers.get('www-authenticate')]).to.deep.equal([
        401,
        'Unauthorized',
        'Bearer',
      ]);
    } finally {
      mock.timers.reset();
    }
  });

  for (const [name, end] of [
    ['is connected', () => served.world.joining.resolve()],
    ['cannot be connected', () => served.world.joining.reject(new Error('no broker'))],
  ] as const)
    it(`frees its place when its client leaves before it ${name}`, async () => {
      served = await startStreams();
      const { request } = open();
      request.on('error', () => {});
      await served.isJoining();
      request.destroy();
      await eventually(() => expect([served.world.left, served.world.counted]).to.deep.equal([1, 0]));
      end();
      await nextTurn();
      expect(served.world.facts).to.deep.equal([{ ...served.world.facts[0], status: null }]);
    });
});
