import { expect } from 'chai';
import type { StreamQuery, StreamRecord } from '../../src/domain/stream-query.js';
import { showRecord } from '../../src/streams/shown-record.js';
import { createStream } from '../../src/streams/stream.js';

const QUERY: StreamQuery = {
  source: 'deliveries',
  workspaceId: 'ws_1',
  endpointIds: null,
  eventType: null,
  withPayload: false,
};
const AT = new Map([[0, 7]]);
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const aRecord = (facts: Partial<StreamRecord> = {}): StreamRecord => ({
  name: 'delivery.created',
  eventType: 'invoice.paid',
  endpointId: 'whe_1',
  payloadOf: 'whd_1',
  data: { deliveryId: 'whd_1' },
  ...facts,
});

const shown = (facts: Partial<StreamRecord> = {}, id = '0,7') => showRecord(aRecord(facts), () => id);

const payloadsOf = async (ids: readonly string[]) =>
  new Map(ids.map((id) => [id, JSON.stringify({ of: id })]));

function aStream(query: Partial<StreamQuery> = {}, readPayloads = payloadsOf) {
  const world = {
    written: [] as string[],
    buffered: 0,
    ended: [] as string[],
    closed: 0,
    drained: Promise.resolve(),
    reserved: 0,
    mostReserved: 0,
    now: 0,
  };
  const stream = createStream({
    query: { ...QUERY, ...query },
    sink: {
      write: (text) => void world.written.push(text),
      bufferedBytes: () => world.buffered,
      drained: () => world.drained,
      end: () => {
        world.closed += 1;
      },
    },
    idOf: (positions) => [...positions].join(' '),
    payloadsOf: readPayloads,
    async reserve(bytes) {
      let held = 0;
      const resize = (to: number) => {
        world.reserved += to - held;
        held = to;
        world.mostReserved = Math.max(world.mostReserved, world.reserved);
      };
      resize(bytes);
      return { resize };
    },
    maxBufferedBytes: () => 100,
    monotonicMs: () => world.now,
    onEvents: () => {},
    onEnd: (reason) => void world.ended.push(reason),
  });
  stream.begin();
  world.written.length = 0;
  return { stream, world };
}

describe('stream', () => {
  it('writes the records of a turn together, each with its position', async () => {
    const { stream, world } = aStream();
    stream.take(shown());
    stream.take(shown({ name: 'delivery.ended' }, '0,8'));
    await turn();
    expect(world.written).to.deep.equal([
      'event: delivery.created\nid: 0,7\ndata: {"deliveryId":"whd_1"}\n\n' +
        'event: delivery.ended\nid: 0,8\ndata: {"deliveryId":"whd_1"}\n\n',
    ]);
  });

  it('leaves out records of other endpoints and event types', async () => {
    const { stream, world } = aStream({ endpointIds: new Set(['whe_2']), eventType: 'invoice.paid' });
    stream.take(shown());
    stream.take(shown({ endpointId: 'whe_2', eventType: 'other.type' }));
    stream.take(shown({ endpointId: null }));
    await turn();
    expect(world.written).to.deep.equal([]);
  });

  it('adds payloads to created deliveries and keeps the order', async () => {
    const { stream, world } = aStream({ withPayload: true });
    stream.take(shown());
    stream.take(shown({ name: 'delivery.ended', payloadOf: null }));
    await turn();
    const lines = world.written.join('').split('\n');
    expect(lines.filter((line) => line.startsWith('data'))).to.deep.equal([
      'data: {"deliveryId":"whd_1","payload":{"of":"whd_1"}}',
      'data: {"deliveryId":"whd_1"}',
    ]);
  });

  it('ends with a reason when its client takes too little', async () => {
    const { stream, world } = aStream();
    world.buffered = 101;
    stream.take(shown());
    stream.take(shown());
    await turn();
    expect(world.written).to.deep.equal(['event: end\ndata: {"reason":"slow_reader"}\n\n']);
    expect([world.ended, world.closed]).to.deep.equal([['slow_reader'], 1]);
  });

  // Regression: its client was disconnected as a slow reader.
  it('ends as at a shutdown when payloads cannot be read', async () => {
    const away = () => Promise.reject(new Error('the database is away'));
    const { stream, world } = aStream({ withPayload: true }, away);
    stream.take(shown());
    await turn();
    expect(world.written).to.deep.equal(['event: end\ndata: {"reason":"shutdown"}\n\n']);
    expect([world.ended, world.closed, world.reserved]).to.deep.equal([['shutdown'], 1, 0]);
  });

  it('takes any number of records of a client that takes everything, as long as it is ready', async () => {
    const { stream, world } = aStream();
    for (let n = 0; n < 2_001; n += 1) {
      stream.take(shown());
      await stream.readiness();
    }
    await turn();
    expect(world.ended).to.deep.equal([]);
    expect(world.written.join('').match(/event: delivery.created/g)).to.have.length(2_001);
  });

  it('is ready again when its client has taken what was written, and once it has ended', async () => {
    for (const free of ['drain', 'end'] as const) {
      const { stream, world } = aStream();
      world.buffered = 51;
      stream.take(shown());
      const ready = stream.readiness();
      expect(ready).not.to.equal(null);
      if (free === 'drain') world.buffered = 0;
      else stream.end('shutdown');
      await ready;
      expect(stream.readiness()).to.equal(null);
    }
  });

  it('reserves what it writes, and payloads before they are read, until its client has taken them', async () => {
    for (const withPayload of [false, true]) {
      const { stream, world } = aStream({ withPayload });
      const taken = Promise.withResolvers<void>();
      world.drained = taken.promise;
      stream.take(shown());
      await turn();
      const [least, most] = withPayload ? [200_000, 300_000] : [60, 70];
      expect(world.mostReserved).to.be.within(least!, most!);
      expect(world.reserved).to.equal(Buffer.byteLength(world.written.join('')));
      taken.resolve();
      await turn();
      expect(world.reserved).to.equal(0);
    }
  });

  it('ends when its client takes nothing between two comments', async () => {
    const { stream, world } = aStream();
    world.drained = new Promise(() => {});
    stream.take(shown());
    await turn();
    stream.keepAlive(AT);
    expect(world.ended).to.deep.equal([]);
    stream.keepAlive(AT);
    expect(world.ended).to.deep.equal(['slow_reader']);
  });

  it('ends when its client takes more than a minute for what was reserved together', async () => {
    const large = async (ids: readonly string[]) =>
      new Map(ids.map((id) => [id, JSON.stringify('x'.repeat(70_000))]));
    const { stream, world } = aStream({ withPayload: true }, large);
    let taken = Promise.withResolvers<void>();
    world.drained = taken.promise;
    const takeSomeAt = async (now: number) => {
      world.now = now;
      const { resolve } = taken;
      taken = Promise.withResolvers();
      world.drained = taken.promise;
      resolve();
      await turn();
      stream.keepAlive(AT);
    };
    for (let now = 0; now <= 75_000; now += 15_000) {
      stream.take(shown());
      await turn();
      await takeSomeAt(now);
    }
    for (let n = 0; n < 10; n += 1) stream.take(shown());
    await turn();
    for (let now = 90_000; now <= 135_000; now += 15_000) await takeSomeAt(now);
    expect(world.ended).to.deep.equal([]);
    await takeSomeAt(150_000);
    expect(world.ended).to.deep.equal(['slow_reader']);
    taken.resolve();
    await turn();
    expect(world.reserved).to.equal(0);
  });

  it('names its position in comments only when everything is written', async () => {
    const { stream, world } = aStream();
    stream.keepAlive(AT);
    stream.take(shown());
    stream.keepAlive(AT);
    expect(world.written).to.deep.equal([': keep-alive\nid: 0,7\n\n', ': keep-alive\n\n']);
  });
});
