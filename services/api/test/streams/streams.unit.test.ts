import { mock } from 'node:test';
import { expect } from 'chai';
import type { Refusal } from '../../src/domain/refusal.js';
import type { StreamQuery } from '../../src/domain/stream-query.js';
import type { LiveTopic } from '../../src/streams/live-topic.js';
import { showRecord } from '../../src/streams/shown-record.js';
import { createStreams, type OpenStream } from '../../src/streams/streams.js';

const MIB = 1024 * 1024;
const LARGE_EVENT = showRecord(
  {
    name: 'event.published',
    eventType: 'a.b',
    endpointId: null,
    payloadOf: null,
    data: { text: 'x'.repeat(100_000) },
  },
  () => 'id',
);

/** A topic that gives a subscriber 20 large events when it joins, as far as it is ready. */
const LARGE: LiveTopic = {
  async join(subscriber) {
    for (let n = 0; n < 20 && subscriber.readiness() === null; n += 1) subscriber.take(LARGE_EVENT);
  },
  leave: () => {},
  positions: () => null,
  close: async () => {},
};

/** Streams of a process that may have `maxStreams`; every stream has a credential of its own. */
function aProcess(maxStreams: number, counted = Promise.resolve()) {
  const time = { ms: 0 };
  const ends: string[] = [];
  const joined: unknown[] = [];
  const topic: LiveTopic = {
    ...LARGE,
    join(...joining) {
      joined.push(joining);
      return LARGE.join(...joining);
    },
  };
  let credentials = 0;
  const streams = createStreams({
    topics: { deliveries: topic, events: topic },
    ids: { idOf: () => '', positionsOf: () => null },
    readPayloads: async () => new Map(),
    openStreams: {
      add: () => counted.then(() => 1),
      remove: () => {},
      renew: () => {},
      close: async () => {},
    },
    maxStreams,
    monotonicMs: () => time.ms,
    onEvents: () => {},
    onEnd: (reason) => ends.push(reason),
  });
  const open = (workspaceId: string, mayContinue = async () => true): Promise<OpenStream> => {
    credentials += 1;
    const query: StreamQuery = {
      source: 'deliveries',
      workspaceId,
      endpointIds: null,
      eventType: null,
      withPayload: false,
    };
    const credentialId = `tok_${credentials}`;
    return streams.open({ query, credentialId, lastEventId: null, mayContinue });
  };
  const tagOf = (opening: Promise<OpenStream>) =>
    opening.then(
      () => null,
      (error: Refusal) => error.tag,
    );
  return { open, tagOf, time, ends, joined, close: streams.close };
}

describe('streams of a process', () => {
  it('are a fifth of MAX_STREAMS for one workspace, whatever tokens it uses', async () => {
    const { open, tagOf } = aProcess(10);
    const opened = await Promise.all([open('ws_1'), open('ws_1')]);
    expect(await tagOf(open('ws_1'))).to.equal('TooManyStreams');
    expect(await tagOf(open('ws_2'))).to.equal(null);
    for (const stream of opened) stream.close();
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_1'))).to.equal('TooManyStreams');
  });

  it('write no more than 64 MiB that clients have not taken, and 16 MiB of them for a workspace', async () => {
    const { open } = aProcess(1_000);
    const written = new Map<string, number>();
    const opened: OpenStream[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      const workspaceId = `ws_${n % 5}`;
      const stream = await open(workspaceId);
      opened.push(stream);
      stream.start({
        write: (text) => void written.set(workspaceId, (written.get(workspaceId) ?? 0) + text.length),
        bufferedBytes: () => 0,
        drained: () => new Promise(() => {}),
        end: () => {},
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const stream of opened) stream.close();
    const all = [...written.values()];
    expect(Math.max(...all)).to.be.below(16.1 * MIB);
    expect(all.reduce((sum, bytes) => sum + bytes, 0)).to.be.within(60 * MIB, 64.1 * MIB);
    expect(Math.min(...all)).to.be.above(8 * MIB);
  });

  describe('whose access is confirmed every three seconds', () => {
    const SINK = { write: () => {}, bufferedBytes: () => 0, drained: async () => {}, end: () => {} };
    beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
    afterEach(() => mock.timers.reset());
    /** @returns the ends after each of four checks */
    const endsOf = async (mayContinue: () => Promise<boolean>) => {
      const { open, time, ends } = aProcess(10);
      const stream = await open('ws_1', mayContinue);
      stream.start(SINK);
      const after: string[][] = [];
      for (let check = 1; check <= 4; check += 1) {
        time.ms = check * 3_000;
        mock.timers.tick(3_000);
        await new Promise((resolve) => setImmediate(resolve));
        after.push([...ends]);
      }
      return after;
    };

    it('end at once when the token has ended', async () => {
      expect(await endsOf(async () => false)).to.deep.equal(Array(4).fill(['token_ended']));
    });

    // Regression: their clients were notified that the token had ended, and did not connect again.
    it('end as at a shutdown when the token cannot be checked for nine seconds', async () => {
      const checked = async () => Promise.reject(new Error('the database is away'));
      expect(await endsOf(checked)).to.deep.equal([[], [], [], ['shutdown']]);
    });
  });

  it('are not opened once it stops', async () => {
    const counted = Promise.withResolvers<void>();
    const { open, tagOf, close, ends } = aProcess(10, counted.promise);
    const opening = tagOf(open('ws_1'));
    await close();
    counted.resolve();
    expect(await opening).to.equal('Unavailable');
    expect(await tagOf(open('ws_1'))).to.equal('Unavailable');
    expect(ends).to.deep.equal([]);
  });

  it('end at once if they start after it stopped, and read nothing', async () => {
    const { open, close, ends, joined } = aProcess(10);
    const stream = await open('ws_1');
    await close();
    let written = '';
    const isEnded = new Promise<void>((end) => {
      const write = (text: string) => {
        written += text;
      };
      stream.start({ write, bufferedBytes: () => 0, drained: async () => {}, end });
    });
    await isEnded;
    expect(written).to.include('event: end').and.include('shutdown');
    expect([ends, joined]).to.deep.equal([['shutdown'], []]);
  });

  it('are at least one for a workspace', async () => {
    const { open, tagOf } = aProcess(1);
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_2'))).to.equal('Unavailable');
  });
});
