import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONNECTION: ClientInternals = {
  module: 'mongodb/lib/cmap/connection.js',
  name: 'Connection',
  methods: {
    cleanup: ['closed', 'error', 'socket'],
    writeCommand: ['socket'],
    sendWire: ['throwIfAborted', 'writeCommand'],
  },
};

/** The fields of the driver's connection that its end needs. */
interface Connection {
  readonly closed: boolean;
  readonly socket: NodeJS.EventEmitter;
  cleanup(error: Error): void;
}

/**
 * Ends operations that are writing their command when their connection closes. The driver waits for `drain` if a socket does
 * not take a command at once, and a socket that was destroyed emits neither `drain` nor `error`: the operation would never
 * end. That happens to large commands, whose socket is full, and to commands for a connection whose server was killed
 * a moment ago, between the end of its socket and the event that reports it.
 *
 * The driver checks after the wait whether the connection has failed. In the next turn of the event loop no
 * command is on its way to that wait any more.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchConnection(connection: unknown): void {
  const prototype = prototypeOf<Connection>(CONNECTION, connection);
  const { cleanup } = prototype;
  prototype.cleanup = function end(this: Connection, error): void {
    const wasClosed = this.closed;
    cleanup.call(this, error);
    if (!wasClosed) setImmediate(() => this.socket.emit('drain'));
  };
}

patchConnection(loadInternals(CONNECTION));
