import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { type Connection, type Connections, createConnections } from '../../src/post/connections.js';

const ORIGINS = 3_000;
const MAX_IDLE = 2_000;
const originOf = (index: number) => `http://receiver-${index}.test`;
const withTls = (index: number) => `https://receiver-${index}.test`;
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** Steps of all iterations over counted sets and maps. */
let steps = 0;

function* counted<Item>(items: Iterable<Item>): Generator<Item, undefined> {
  for (const item of items) {
    steps += 1;
    yield item;
  }
  return undefined;
}

class CountedSet<Item> extends Set<Item> {
  override values() {
    return counted(super.values());
  }
  override [Symbol.iterator]() {
    return this.values();
  }
}

class CountedMap<Key, Value> extends Map<Key, Value> {
  override keys() {
    return counted(super.keys());
  }
  override values() {
    return counted(super.values());
  }
  override entries() {
    return counted(super.entries());
  }
  override [Symbol.iterator]() {
    return this.entries();
  }
}

/** Runs `create`, whose sets and maps are counted. */
function countingSteps<Result>(create: () => Result): Result {
  const { Set: PlainSet, Map: PlainMap } = globalThis;
  Object.assign(globalThis, { Set: CountedSet, Map: CountedMap });
  try {
    return create();
  } finally {
    Object.assign(globalThis, { Set: PlainSet, Map: PlainMap });
  }
}

/** The socket of a receiver that answers each request at once. */
const answeringSocket = () =>
  new Duplex({
    read() {},
    write(_bytes, _encoding, done) {
      this.push('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      done();
    },
  });

const post = (connection: Connection) =>
  new Promise<void>((resolve, reject) =>
    connection.dispatch(
      { path: '/', method: 'POST' },
      { onResponseEnd: () => resolve(), onResponseError: (_, error) => reject(error) },
    ),
  );

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('connections to many origins', () => {
  let connections: Connections;
  let sockets: Duplex[];
  beforeEach(async () => {
    steps = 0;
    sockets = [];
    connections = countingSteps(() =>
      createConnections({
        connect: (_target, callback) => {
          const socket = answeringSocket();
          sockets.push(socket);
          queueMicrotask(() => callback(null, socket as Socket, '192.0.2.1'));
        },
        monotonicMs: () => 0,
        maxIdle: MAX_IDLE,
        keepAliveTimeout: 60_000,
      }),
    );
    for (const index of numbers(0, ORIGINS)) await post(connections.open(originOf(index)));
    await settled();
  });
  afterEach(() => connections.destroy());

  /** Takes them. */
  const withIdle = () =>
    numbers(0, ORIGINS).filter((index) => connections.takeIdle(originOf(index)) !== null);

  it('close the longest idle one beyond the limit, without looking at all of them', () => {
    expect(withIdle()).to.deep.equal(numbers(ORIGINS - MAX_IDLE, ORIGINS));
    expect(steps).to.be.at.most(ORIGINS);
  });

  it('keep a quarter as many if they use TLS, which take more memory', async () => {
    for (const index of numbers(0, MAX_IDLE)) await post(connections.open(withTls(index)));
    await settled();
    const idle = numbers(0, MAX_IDLE).filter((index) => connections.takeIdle(withTls(index)) !== null);
    expect(idle).to.deep.equal(numbers(MAX_IDLE - MAX_IDLE / 4, MAX_IDLE));
    expect(withIdle()).to.deep.equal([]);
  });

  it('forget those that receivers close, without looking at all of them', async () => {
    const before = steps;
    for (const socket of sockets) socket.destroy();
    await settled();
    expect(withIdle()).to.deep.equal([]);
    expect(steps - before).to.be.at.most(ORIGINS);
  });

  it('offer none whose socket is already destroyed, although it has not reported that yet', () => {
    for (const socket of sockets) socket.destroy();
    expect(withIdle()).to.deep.equal([]);
  });

  it('take one for a request, without looking at all of them', async () => {
    const before = steps;
    for (const index of numbers(ORIGINS - MAX_IDLE, ORIGINS)) {
      const connection = connections.takeIdle(originOf(index));
      expect(connection).not.to.equal(null);
      await post(connection!);
    }
    expect(steps - before).to.be.at.most(MAX_IDLE);
  });
});

// Regression: with TLS 1.3, a receiver could keep a core busy with sessions until the deadline of a request.
describe('a connection whose receiver offers TLS sessions', () => {
  let socket: Duplex;
  let connection: Connection;
  beforeEach(() => {
    socket = answeringSocket();
    connection = createConnections({
      connect: (_target, callback) => queueMicrotask(() => callback(null, socket as Socket, '192.0.2.1')),
      monotonicMs: () => 0,
      maxIdle: MAX_IDLE,
      keepAliveTimeout: 60_000,
    }).open(withTls(0));
  });
  afterEach(() => connection.destroy());
  const offer = (count: number) => {
    for (let offered = 0; offered < count; offered += 1) socket.emit('session', Buffer.alloc(0));
  };

  it('is closed at the 17th of one request', async () => {
    await post(connection);
    offer(16);
    expect(socket.destroyed).to.equal(false);
    offer(1);
    expect(socket.destroyed).to.equal(true);
    const error = await post(connection).catch((caught: unknown) => caught);
    expect(error, 'of the next request').to.be.an('error');
  });

  it('stays open if they are spread over requests', async () => {
    for (let requests = 0; requests < 4; requests += 1) {
      await post(connection);
      offer(8);
      await settled();
    }
    expect(socket.destroyed).to.equal(false);
  });
});
