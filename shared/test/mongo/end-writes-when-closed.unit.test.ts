import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { patchConnection } from '../../src/mongo/end-writes-when-closed.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

/** The parts of a connection that the tests use; the driver does not export its type. */
interface Connection {
  command(namespace: unknown, command: object, options: object): Promise<unknown>;
  destroy(): void;
}

const require = createRequire(import.meta.url);
const { Connection } = require('mongodb/lib/cmap/connection.js');
const { HostAddress, ns } = require('mongodb/lib/utils.js');

/** More than the buffers of both sockets take. */
const LARGE = { insert: 'deliveries', documents: ['x'.repeat(40_000_000)] };
const SMALL = { find: 'endpoints' };

// A test that fails waits for its time-out: the operation never ends.
describe('patched connection of the database driver', () => {
  let server: Server;
  let accepted: Socket[];
  let socket: Socket;
  let connection: Connection;

  beforeEach(async () => {
    accepted = [];
    server = createServer((one) => accepted.push(one.pause())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    connection = new Connection(socket, { id: 1, hostAddress: HostAddress.fromString(`127.0.0.1:${port}`) });
  });
  afterEach(() => {
    connection.destroy();
    for (const one of accepted) one.destroy();
    server.close();
  });

  const failureOf = (command: object): Promise<Error> =>
    connection.command(ns('test.$cmd'), command, {}).then(
      () => expect.fail('the operation succeeded'),
      (error: Error) => error,
    );

  it('ends a command that is sent after its socket was destroyed and before that was reported', async () => {
    socket.destroy();
    expect((await failureOf(SMALL)).name).to.equal('MongoNetworkError');
  });

  it('ends a command that waits for room in its socket when the connection is closed', async () => {
    const failure = failureOf(LARGE);
    setImmediate(() => connection.destroy());
    expect((await failure).name).to.equal('MongoNetworkError');
  });

  it('ends a command when the connection is closed while the command is encoded', async () => {
    const failure = failureOf(SMALL);
    connection.destroy();
    expect((await failure).name).to.equal('MongoNetworkError');
  });

  it('ends a command that waits for its response when the connection is closed', async () => {
    const failure = failureOf(SMALL);
    setImmediate(() => connection.destroy());
    expect((await failure).name).to.equal('MongoNetworkError');
  });

  it('rejects a class without the methods', () => {
    expect(() => patchConnection(class {})).to.throw(UnknownInternals, 'cleanup()');
  });
});
