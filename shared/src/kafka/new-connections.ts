import type { Socket } from 'node:net';
import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONNECTION: ClientInternals = {
  module: 'kafkajs/src/network/connection.js',
  methods: {
    connect: ['socket'],
    processData: ['chunks', 'bytesBuffered', 'bytesNeeded', 'authHandlers'],
    isConnected: [],
    constructor: ['chunks', 'bytesBuffered', 'bytesNeeded', 'authHandlers'],
  },
};

/** The size of a response precedes it in as many bytes. */
const SIZE_BYTES = 4;

/** The fields of the client's connection that belong to its socket. */
interface Connection {
  socket?: Socket;
  /** What arrived of a response that is not complete. */
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  /** Present while a login waits for a response. */
  readonly authHandlers: { onError(): void } | null;
  isConnected(): boolean;
  connect(): Promise<unknown>;
}

/**
 * Connects again without anything of the socket before. The client keeps the part of a response after which that socket was
 * closed: what the next one receives would be appended to it, no response would be found, and every request would time out.
 * If the socket before is not closed yet, its end would also end the new connection.
 *
 * Calls while a connection is being made share it, because each of them would close the socket of the one before.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchConnect(connection: unknown): void {
  const prototype = prototypeOf<Connection>(CONNECTION, connection);
  const { connect } = prototype;
  const connecting = new WeakMap<Connection, Promise<unknown>>();
  prototype.connect = function connectAnew(this: Connection): Promise<unknown> {
    const pending = connecting.get(this);
    if (pending !== undefined) return pending;
    if (!this.isConnected()) reset(this);
    const connected = connect.call(this).finally(() => connecting.delete(this));
    connecting.set(this, connected);
    return connected;
  };
}

function reset(connection: Connection): void {
  if (connection.socket !== undefined) discard(connection.socket);
  connection.authHandlers?.onError();
  connection.chunks = [];
  connection.bytesBuffered = 0;
  connection.bytesNeeded = SIZE_BYTES;
}

/** Without the client's listeners: an event may follow the destruction. */
function discard(socket: Socket): void {
  for (const event of ['data', 'end', 'timeout', 'error']) socket.removeAllListeners(event);
  socket.on('error', () => {});
  socket.destroy();
}

patchConnect(loadInternals(CONNECTION));
