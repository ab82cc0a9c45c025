import { mock } from 'node:test';
import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { expect } from 'chai';
import type { Refusal } from '../../src/domain/refusal.js';
import type { StreamQuery } from '../../src/domain/stream-query.js';
import type { LiveTopic } from '../../src/streams/live-topic.js';
import { createOpenStreams, type OpenStream, type StreamRequest } from '../../src/streams/open-streams.js';
import { showRecord } from '../../src/streams/shown-record.js';

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

interface Surroundings {
  /** Resolves once an open stream is counted. */
  readonly counted?: Promise<void>;
  readonly topic?: Partial<LiveTopic>;
  readonly positionsOf?: () => Positions | null;
}

/** Streams of a process that may have `maxStreams`; every stream has a credential of its own. */
function aProcess(
  maxStreams: number,
  { counted = Promise.resolve(), topic: ownTopic, positionsOf = () => null }: Surroundings = {},
) {
  const time = { ms: 0 };
  const ends: string[] = [];
  const joined: unknown[] = [];
  const left: unknown[] = [];
  const { join, ...others }: LiveTopic = { ...LARGE, leave: (one) => left.push(one), ...ownTopic };
  const topic: LiveTopic = {
    ...others,
    join(...joining) {
      joined.push(joining);
      return join(...joining);
    },
  };
  let credentials = 0;
  const streams = createOpenStreams({
    topics: { deliveries: topic, events: topic },
    ids: { idOf: () => 'position', positionsOf },
    readPayloads: async () => new Map(),
    counts: {
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
  const open = (
    workspaceId: string,
    { mayContinue = async () => true, lastEventId = null }: Partial<StreamRequest> = {},
  ): Promise<OpenStream> => {
    credentials += 1;
    const query: StreamQuery = {
      source: 'deliveries',
      workspaceId,
      endpointIds: null,
      eventType: null,
      withPayload: false,
    };
    const credentialId = `tok_${credentials}`;
    return streams.open({ query, credentialId, lastEventId, mayContinue });
  };
  const tagOf = (opening: Promise<OpenStream>) =>
    opening.then(
      () => null,
      (error: Refusal) => error.tag,
    );
  return { open, tagOf, time, ends, joined, left, size: streams.size, close: streams.close };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A connection whose client takes everything. */
function aSink() {
  const sink = {
    written: [] as string[],
    ended: [] as string[],
    write: (text: string) => void sink.written.push(text),
    bufferedBytes: () => 0,
    drained: async () => {},
    end: (reason: string) => void sink.ended.push(reason),
  };
  return sink;
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

  it('write no more than 48 MiB that clients have not taken, 16 MiB of them for a workspace, and to one that has nothing', async () => {
    const { open } = aProcess(1_000);
    const written = new Map<string, number>();
    const opened: OpenStream[] = [];
    const start = async (workspaceId: string) => {
      const stream = await open(workspaceId);
      opened.push(stream);
      stream.start({
        write: (text) => void written.set(workspaceId, (written.get(workspaceId) ?? 0) + text.length),
        bufferedBytes: () => 0,
        drained: () => new Promise(() => {}),
        end: () => {},
      });
    };
    for (let n = 0; n < 999; n += 1) await start(`ws_${n % 5}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const all = [...written.values()];
    await start('ws_other');
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const stream of opened) stream.close();
    expect(Math.max(...all)).to.be.below(16.1 * MIB);
    expect(all.reduce((sum, bytes) => sum + bytes, 0)).to.be.within(46 * MIB, 48.1 * MIB);
    expect(Math.min(...all)).to.be.above(8 * MIB);
    expect(written.get('ws_other')).to.be.above(64 * 1024);
  });

  describe('whose access is confirmed every three seconds', () => {
    const SINK = { write: () => {}, bufferedBytes: () => 0, drained: async () => {}, end: () => {} };
    beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
    afterEach(() => mock.timers.reset());
    /** @returns the ends after each of four checks */
    const endsOf = async (mayContinue: () => Promise<boolean>) => {
      const { open, time, ends } = aProcess(10);
      const stream = await open('ws_1', { mayContinue });
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
    const { open, tagOf, close, ends } = aProcess(10, { counted: counted.promise });
    const opening = tagOf(open('ws_1'));
    await close();
    counted.resolve();
    expect(await opening).to.equal('Unavailable');
    expect(await tagOf(open('ws_1'))).to.equal('Unavailable');
    expect(ends).to.deep.equal([]);
  });

  it('end at once if they start after it stopped, and neither read nor write anything', async () => {
    const { open, close, ends, joined } = aProcess(10);
    const stream = await open('ws_1');
    await close();
    const sink = aSink();
    stream.start(sink);
    expect([sink.written, sink.ended]).to.deep.equal([[], ['shutdown']]);
    expect([ends, joined]).to.deep.equal([[], []]);
  });

  describe('that are not given new records yet', () => {
    const waiting = (lastEventId: string | null, { positionsOf }: Surroundings = {}) => {
      const joining = Promise.withResolvers<void>();
      const topic = { join: () => joining.promise, positions: () => new Map() };
      return { ...aProcess(10, { topic, ...(positionsOf && { positionsOf }) }), joining, lastEventId };
    };
    const started = async ({ open, lastEventId }: ReturnType<typeof waiting>) => {
      const sink = aSink();
      const stream = await open('ws_1', { lastEventId });
      stream.start(sink);
      await turn();
      return { stream, sink };
    };
    const FIRST_LINES = ['retry: 1000\n\n', ': keep-alive\nid: position\n\n'];

    // Regression: they wrote at once, and what happened before they were connected was missing without a notice.
    it('write nothing until then', async () => {
      const process = waiting(null);
      const { sink } = await started(process);
      expect([sink.written, process.size()]).to.deep.equal([[], 0]);
      process.joining.resolve();
      await turn();
      expect([sink.written, process.size()]).to.deep.equal([FIRST_LINES, 1]);
    });

    it('write the reset only then if they cannot resume', async () => {
      const process = waiting('unusable');
      const { sink } = await started(process);
      expect(sink.written).to.deep.equal([]);
      process.joining.resolve();
      await turn();
      const [retry, id] = FIRST_LINES;
      expect(sink.written).to.deep.equal([retry, 'event: reset\ndata: {}\n\n', id]);
    });

    it('write their first line at once if they resume', async () => {
      const process = waiting('usable', { positionsOf: () => new Map() });
      const { sink } = await started(process);
      expect(sink.written).to.deep.equal([FIRST_LINES[0]]);
      process.joining.resolve();
      await turn();
      expect(sink.written).to.deep.equal(FIRST_LINES);
    });

    it('write nothing if they cannot be connected, or the process stops', async () => {
      for (const fail of [
        ({ joining }: ReturnType<typeof waiting>) => joining.reject(new Error('no broker')),
        ({ close }: ReturnType<typeof waiting>) => close(),
      ]) {
        const process = waiting(null);
        const { sink } = await started(process);
        await fail(process);
        await turn();
        expect([sink.written, sink.ended, process.ends]).to.deep.equal([[], ['shutdown'], []]);
        expect(process.left).to.have.length(1);
      }
    });

    it('are left at once by a client that leaves, and write nothing later', async () => {
      const process = waiting(null);
      const { stream, sink } = await started(process);
      stream.close();
      expect([process.left.length, process.ends]).to.deep.equal([1, []]);
      process.joining.resolve();
      await turn();
      expect([sink.written, process.size()]).to.deep.equal([[], 0]);
    });

    it('write nothing to keep a connection open, and end with their token', async () => {
      mock.timers.enable({ apis: ['setInterval'] });
      try {
        let isValid = true;
        const joining = new Promise<void>(() => {});
        const process = aProcess(10, { topic: { join: () => joining } });
        const sink = aSink();
        (await process.open('ws_1', { mayContinue: async () => isValid })).start(sink);
        mock.timers.tick(15_000);
        await turn();
        expect([sink.written, process.ends]).to.deep.equal([[], []]);
        isValid = false;
        mock.timers.tick(3_000);
        await turn();
        expect([sink.written, sink.ended, process.ends]).to.deep.equal([[], ['token_ended'], []]);
      } finally {
        mock.timers.reset();
      }
    });
  });

  it('are at least one for a workspace', async () => {
    const { open, tagOf } = aProcess(1);
    expect(await tagOf(open('ws_1'))).to.equal(null);
    expect(await tagOf(open('ws_2'))).to.equal('Unavailable');
  });
});
