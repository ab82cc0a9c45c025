import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import '../../src/kafka/connect.js';
import { patchConnect } from '../../src/kafka/new-connections.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import { eventually } from '../../src/testing/eventually.js';

const load = createRequire(import.meta.url);
const Connection = load('kafkajs/src/network/connection.js');
const createSocketFactory = load('kafkajs/src/network/socketFactory.js');
const apiVersions = load('kafkajs/src/protocol/requests/apiVersions/index.js');

const quiet = () => {};
const LOGGER = { namespace: () => ({ debug: quiet, info: quiet, warn: quiet, error: quiet }) };
/** The offset of the correlation id in a request, and its size. */
const CORRELATION_ID = 8;
const INT32 = 4;
const APIS = 82;

/** A response of 508 bytes, with its size. */
function responseTo(request: Buffer): Buffer {
  const response = Buffer.alloc(508);
  response.writeInt32BE(response.length - INT32, 0);
  request.copy(response, INT32, CORRELATION_ID, CORRELATION_ID + INT32);
  response.writeInt32BE(APIS, 10);
  return response;
}

describe('a connection of the Kafka client that connects again', () => {
  let broker: Server;
  let sockets: Socket[];
  /** What the broker does with a request on its nth connection. */
  let onRequest: (socket: Socket, request: Buffer, index: number) => void;
  let connection: {
    connect(): Promise<unknown>;
    disconnect(): Promise<unknown>;
    isConnected(): boolean;
    send(protocol: object): Promise<{ readonly apiVersions: readonly unknown[] }>;
    sendAuthRequest(protocol: object): Promise<unknown>;
  };
  const send = async () => (await connection.send(apiVersions.protocol({ version: 0 })())).apiVersions.length;

  beforeEach(async () => {
    sockets = [];
    onRequest = (socket, request) => void socket.write(responseTo(request));
    broker = createServer({ allowHalfOpen: true }, (socket) => {
      const index = sockets.push(socket) - 1;
      socket.on('error', quiet).on('data', (request) => onRequest(socket, request, index));
    }).listen(0, '127.0.0.1');
    await once(broker, 'listening');
    connection = new Connection({
      host: '127.0.0.1',
      port: (broker.address() as AddressInfo).port,
      logger: LOGGER,
      socketFactory: createSocketFactory(),
      connectionTimeout: 5_000,
      requestTimeout: 500,
    });
  });
  afterEach(async () => {
    await connection.disconnect();
    for (const socket of sockets) socket.destroy();
    broker.close();
  });

  // Regression: after a broker had been stopped in the middle of a response, every later request on the connection timed out.
  it('ignores the part of a response after which it was closed', async () => {
    onRequest = (socket, request, index) => {
      const response = responseTo(request);
      if (index === 0) socket.end(response.subarray(0, 120));
      else socket.write(response);
    };
    await connection.connect();
    expect(await send().catch(({ name }: Error) => name)).to.equal('KafkaJSConnectionClosedError');
    await connection.connect();
    expect(await send()).to.equal(APIS);
  });

  it('ignores what the connection before receives late', async () => {
    let late: Buffer | undefined;
    onRequest = (socket, request, index) => {
      if (index === 0) late = responseTo(request);
      else if (late === undefined) socket.write(responseTo(request));
      else {
        sockets[0]!.write(late.subarray(0, 120));
        sockets[0]!.end();
        late = undefined;
        setTimeout(() => socket.write(responseTo(request)), 50);
      }
    };
    await connection.connect();
    expect(await send().catch(({ name }: Error) => name)).to.equal('KafkaJSConnectionClosedError');
    await eventually(() => expect(connection.isConnected()).to.equal(false));
    await connection.connect();
    expect([await send(), await send(), sockets.length]).to.deep.equal([APIS, APIS, 2]);
  });

  it('makes one connection for several callers', async () => {
    await Promise.all([connection.connect(), connection.connect()]);
    expect([await send(), sockets.length]).to.deep.equal([APIS, 1]);
  });

  it('can be made after it failed', async () => {
    const { port } = broker.address() as AddressInfo;
    broker.close();
    expect(await connection.connect().catch(({ name }: Error) => name)).to.equal('KafkaJSConnectionError');
    broker.listen(port, '127.0.0.1');
    await once(broker, 'listening');
    await connection.connect();
    expect(await send()).to.equal(APIS);
  });

  it('rejects a login that waits for a response', async () => {
    onRequest = quiet;
    await connection.connect();
    const login = connection
      .sendAuthRequest({ request: { encode: async () => Buffer.from('login') }, response: {} })
      .catch(({ name }: Error) => name);
    await connection.disconnect();
    await connection.connect();
    expect(await login).to.equal('KafkaJSConnectionError');
  });

  it('rejects a class without its fields', () => {
    class Stranger {
      connect() {}
    }
    expect(() => patchConnect(Stranger)).to.throw(UnknownInternals, 'this.socket in connect()');
  });
});
