import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import '../../src/kafka/connect.js';
import { patchConnection } from '../../src/kafka/hung-connections.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import { eventually } from '../../src/testing/eventually.js';

const load = createRequire(import.meta.url);
const Connection = load('kafkajs/src/network/connection.js');
const createSocketFactory = load('kafkajs/src/network/socketFactory.js');
const { KafkaJSConnectionClosedError } = load('kafkajs');
const apiVersions = load('kafkajs/src/protocol/requests/apiVersions/index.js');

const quiet = () => {};
const LOGGER = { namespace: () => ({ debug: quiet, info: quiet, warn: quiet, error: quiet }) };

describe('patched connection of the Kafka client', () => {
  let broker: Server;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    broker = createServer((socket) => sockets.push(socket.on('error', quiet).resume())).listen(
      0,
      '127.0.0.1',
    );
    await once(broker, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    broker.close();
  });

  it('ends when the broker does not respond, as if the broker had closed it', async () => {
    const { port } = broker.address() as AddressInfo;
    const connection = new Connection({
      host: '127.0.0.1',
      port,
      logger: LOGGER,
      socketFactory: createSocketFactory(),
      connectionTimeout: 5_000,
      requestTimeout: 100,
    });
    await connection.connect();
    const send = () => connection.send(apiVersions.protocol({ version: 0 })());
    const errors = await Promise.all([send(), send()].map((sent) => sent.catch((error: unknown) => error)));
    for (const error of errors) {
      expect(error)
        .to.be.an.instanceOf(KafkaJSConnectionClosedError)
        .and.to.include({ host: '127.0.0.1', port });
    }
    await eventually(async () => expect(sockets[0]!.readableEnded).to.equal(true));
    expect(connection.isConnected()).to.equal(false);
  });

  it('rejects a class without its methods', () => {
    expect(() => patchConnection(class {})).to.throw(UnknownInternals, 'send()');
  });
});
