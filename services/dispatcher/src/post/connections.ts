import { type buildConnector, Client, type Dispatcher } from 'undici';
import type { EgressConnector } from './egress-connector.js';
import { limitTls, type TlsLimits } from './limit-tls.js';

/** One connection to an origin. It serves one request at a time, and is never established again. */
export interface Connection {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Whether the connection had served a request before the last one. */
  isReused(): boolean;
  /** The receiver's server, even behind a proxy, and when it was connected to, before TLS; null until then. */
  reached(): Reached | null;
  /** Whether a byte arrived since the last request was written; false if it was not. */
  hasReceived(): boolean;
  /** Drops the connection, or the attempt to establish it. */
  destroy(): void;
}

export interface Reached {
  readonly address: string;
  /** Monotonic, in milliseconds. */
  readonly at: number;
  /** Whether TLS was established as well, if the origin has it. */
  readonly isEstablished: boolean;
}

export interface Connections {
  /** Takes an idle connection to the origin; null if there is none. */
  takeIdle(origin: string): Connection | null;
  open(origin: string): Connection;
  /** Drops all connections. */
  destroy(): Promise<void>;
}

interface ConnectionsOptions extends Omit<Client.Options, 'connect'> {
  readonly connect: EgressConnector;
  readonly monotonicMs: () => number;
  /** Maximum weight of the idle connections: 1 each, more with TLS. Beyond it, the longest idle are closed. */
  readonly maxIdle: number;
}

/** The reason for every connection that is dropped: the client would create an error with its stack for each. */
const DROPPED = new Error('the connection was dropped');

/** One without TLS has the weight 1. With TLS it takes some 120 KB outside the heap, several times as much. */
const TLS_WEIGHT = 4;

interface Owned extends Connection {
  readonly origin: string;
  readonly client: Client;
}

/**
 * The connections to receivers by origin. Every step costs the same however many origins there are, unlike in the client's
 * own agent, which looks at all of them whenever a connection ends.
 */
export function createConnections({
  connect,
  monotonicMs,
  maxIdle,
  ...options
}: ConnectionsOptions): Connections {
  const all = new Set<Owned>();
  /** The longest idle first. */
  const idle = new Set<Owned>();
  /** The longest idle first, so that looking for one whose time has passed ends at the first. */
  const idleByOrigin = new Map<string, Owned[]>();
  /** The weight of all idle ones. */
  let idleWeight = 0;

  const removeFromIdle = (connection: Owned): void => {
    if (!idle.delete(connection)) return;
    idleWeight -= weightOf(connection);
    const siblings = idleByOrigin.get(connection.origin) ?? [];
    // Searches from the end, where the next one to be used is: thousands of endpoints may share an origin.
    siblings.splice(siblings.lastIndexOf(connection), 1);
    if (siblings.length === 0) idleByOrigin.delete(connection.origin);
  };
  const drop = (connection: Owned): void => {
    removeFromIdle(connection);
    if (!all.delete(connection)) return;
    void connection.client.destroy(DROPPED);
  };
  const keep = (connection: Owned): void => {
    if (!all.has(connection)) return;
    if (!connection.client.stats.connected) {
      drop(connection);
      return;
    }
    const siblings = idleByOrigin.get(connection.origin);
    if (siblings === undefined) idleByOrigin.set(connection.origin, [connection]);
    else siblings.push(connection);
    idle.add(connection);
    idleWeight += weightOf(connection);
    while (idleWeight > maxIdle) {
      const [longestIdle] = idle;
      if (longestIdle === undefined) break;
      drop(longestIdle);
    }
  };
  const open = (origin: string): Connection => {
    const monitor = monitorSockets(connect, monotonicMs);
    const client = new Client(origin, { ...options, connect: monitor.connect });
    const keepThis = () => keep(connection);
    const events: RequestEvents = {
      onStart: monitor.requestStarted,
      // By the next microtask the client has decided whether the connection can be reused.
      onEnd: () => queueMicrotask(keepThis),
      onError: () => drop(connection),
    };
    const connection: Owned = {
      origin,
      client,
      dispatch(request, handler) {
        monitor.requestAdded();
        client.dispatch(request, withEnd(handler, events));
      },
      isReused: monitor.isReused,
      hasReceived: monitor.hasReceived,
      reached: monitor.reached,
      destroy: () => drop(connection),
    };
    client.on('disconnect', () => {
      if (idle.has(connection)) drop(connection);
    });
    all.add(connection);
    return connection;
  };
  return {
    takeIdle(origin) {
      for (;;) {
        const connection = idleByOrigin.get(origin)?.at(-1);
        if (connection === undefined) return null;
        removeFromIdle(connection);
        // A client whose socket is being closed would connect again, to an address that was not looked up.
        if (connection.client.stats.connected) return connection;
        drop(connection);
      }
    },
    open,
    async destroy() {
      const clients = [...all].map(({ client }) => client);
      all.clear();
      idle.clear();
      idleByOrigin.clear();
      idleWeight = 0;
      await Promise.all(clients.map((client) => client.destroy()));
    },
  };
}

function weightOf({ origin }: Owned): number {
  return origin.startsWith('https:') ? TLS_WEIGHT : 1;
}

/**
 * Tracks how many requests a client has got and whether the last one got a byte, and limits the use of TLS. A client whose
 * socket ends before its next request is written would connect again, to an address that was looked up for an earlier one:
 * that connection is refused.
 */
function monitorSockets(connect: EgressConnector, monotonicMs: () => number) {
  let requests = 0;
  let limits: TlsLimits | null = null;
  let isWritten = false;
  let received = false;
  let reached: Reached | null = null;
  let wasConnected = false;
  const noteData = () => {
    received = isWritten;
  };
  const noteReached = (address: string) => {
    reached = { address, at: monotonicMs(), isEstablished: false };
  };
  const monitored: buildConnector.connector = (target, callback) => {
    if (wasConnected) return callback(closedWhileIdle(), null);
    connect(
      target,
      (...[error, socket, remoteAddress]) => {
        if (error !== null) return callback(error, null);
        wasConnected = true;
        reached = { address: remoteAddress, at: reached?.at ?? monotonicMs(), isEstablished: true };
        callback(null, socket);
        // After the client has added its own listener, so that this one does not start the flow of data.
        socket.on('data', noteData);
        limits = limitTls(socket);
      },
      noteReached,
    );
  };
  return {
    connect: monitored,
    requestAdded: () => {
      requests += 1;
      isWritten = false;
      received = false;
    },
    requestStarted: () => {
      limits?.requestStarted();
      isWritten = true;
    },
    isReused: () => requests > 1,
    hasReceived: () => received,
    reached: () => reached,
  };
}

function closedWhileIdle(): Error {
  return Object.assign(new Error('the receiver closed the idle connection'), { code: 'ECONNRESET' });
}

interface RequestEvents {
  readonly onStart: () => void;
  readonly onEnd: () => void;
  readonly onError: () => void;
}

function withEnd(handler: Dispatcher.DispatchHandler, events: RequestEvents): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      events.onStart();
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart: (...parts) => handler.onResponseStart?.(...parts),
    onResponseData: (...parts) => handler.onResponseData?.(...parts),
    onResponseEnd: (...parts) => {
      events.onEnd();
      handler.onResponseEnd?.(...parts);
    },
    onResponseError: (...parts) => {
      events.onError();
      handler.onResponseError?.(...parts);
    },
  };
}
