import { createServer, type RequestListener, type Server } from 'node:http';
import { type Address, bind } from '@postrider/shared/runtime/listen';
import { sleep } from '@postrider/shared/runtime/sleep';
import { answerMalformed } from './malformed.js';

export interface HttpServer {
  readonly port: number;
  /** Serves the backlog, stops accepting, lets running requests finish, and closes the rest after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

interface ServerOptions extends Address {
  readonly listener: RequestListener;
  readonly times?: RequestTimes;
}

/** Time limits for a client, in milliseconds. */
export interface RequestTimes {
  /** For sending the head of a request. */
  readonly headMs: number;
  /** For sending the whole request. */
  readonly requestMs: number;
  /** The interval of the check for slow clients. */
  readonly checkEveryMs: number;
}

const REQUEST_TIMES: RequestTimes = { headMs: 10_000, requestMs: 30_000, checkEveryMs: 5_000 };
/** Longer than the idle time-out of common load balancers, so that they close idle connections first. */
const KEEP_ALIVE_MS = 75_000;
/** A connection in use without a read or write for this long is closed: its client does not take the answer. */
const STALLED_MS = 30_000;
/** How long a closing server still accepts connections: the system resets those in the backlog of a closed one. */
const ACCEPT_MS = 200;
/** How often a closing server closes connections that have become idle, in milliseconds. */
const SWEEP_EVERY_MS = 50;

export async function startServer({
  host,
  port,
  listener,
  times = REQUEST_TIMES,
}: ServerOptions): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: times.headMs,
      requestTimeout: times.requestMs,
      connectionsCheckingInterval: times.checkEveryMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      requireHostHeader: false, // The listener refuses, with a problem.
    },
    listener,
  );
  server.timeout = STALLED_MS;
  server.on('clientError', answerMalformed);
  server.on('checkExpectation', listener);
  return {
    port: await bind(server, { host, port }),
    close: (timeoutMs) => close(server, timeoutMs),
  };
}

async function close(server: Server, timeoutMs: number): Promise<void> {
  await sleep(ACCEPT_MS);
  // Connections become idle only once their running requests finish.
  const sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  const cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(sweeping);
  clearTimeout(cutOff);
}
