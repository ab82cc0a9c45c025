import kafkajs from 'kafkajs';
import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONNECTION: ClientInternals = {
  module: 'kafkajs/src/network/connection.js',
  methods: {
    send: ['requestQueue'],
    rejectRequests: ['requestQueue'],
    disconnect: ['requestQueue', 'socket'],
    constructor: ['host', 'port'],
  },
};

const CLOSED_ERROR: ClientInternals = {
  module: 'kafkajs',
  name: 'KafkaJSConnectionClosedError',
  methods: {},
};

/** The client's types lack this class. */
const ClosedError = loadInternals(CLOSED_ERROR) as new (
  message: string,
  from: { readonly host: string; readonly port: number },
) => Error;

/** The fields of the client's connection that ending it needs. */
interface Connection {
  readonly host: string;
  readonly port: number;
  send(protocol: unknown): Promise<unknown>;
  rejectRequests(error: Error): void;
  disconnect(): Promise<unknown>;
}

/**
 * Ends a connection when a request on it times out, with the error of a closed connection. The client itself only rejects the
 * request: it keeps the connection to a broker that is frozen or cut off, and asks no other broker for new leaders until its
 * metadata is five minutes old. After a closed connection it asks at once.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchConnection(connection: unknown): void {
  const prototype = prototypeOf<Connection>(CONNECTION, connection);
  const { send } = prototype;
  prototype.send = async function sendOrEnd(this: Connection, protocol): Promise<unknown> {
    try {
      return await send.call(this, protocol);
    } catch (error) {
      if (!(error instanceof kafkajs.KafkaJSRequestTimeoutError)) throw error;
      const { host, port } = this;
      const closed = new ClosedError(error.message, { host, port });
      this.rejectRequests(closed);
      void this.disconnect();
      throw closed;
    }
  };
}

patchConnection(loadInternals(CONNECTION));
