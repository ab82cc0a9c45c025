import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** How often a receiver may negotiate TLS again for one request. Some do so once, to ask for a client certificate. */
const MAX_RENEGOTIATIONS = 3;
/** How many sessions it may offer to resume later: with TLS 1.3 at any time. Most receivers send two after the handshake. */
const MAX_SESSIONS = 16;
/**
 * How many bytes without data it may send, which are the headers of records and messages of TLS itself. With TLS 1.3 these include
 * changes of the keys, at any time, of which there is no event. Usual responses have some hundred.
 */
const MAX_OVERHEAD_BYTES = 64 * 1_024;
/** How often these bytes are compared, in milliseconds. */
const CHECK_MS = 200;

export interface TlsLimits {
  /** Counts from the beginning. */
  requestStarted(): void;
}

/**
 * Ends the connection of a receiver that exceeds a limit of TLS for one request: without limits, one that does so endlessly keeps a
 * core busy until the deadline.
 */
export function limitTls(socket: Socket): TlsLimits {
  let renegotiations = 0;
  let sessions = 0;
  let overhead = overheadOf(socket);
  const end = (what: string) =>
    socket.destroy(Object.assign(new Error(`the receiver ${what}`), { code: 'ERR_TLS_LIMIT' }));
  // Emitted after every handshake; the first one is over.
  socket.on('secure', () => {
    renegotiations += 1;
    if (renegotiations > MAX_RENEGOTIATIONS) end('negotiates TLS too often');
  });
  socket.on('session', () => {
    sessions += 1;
    if (sessions > MAX_SESSIONS) end('offers too many TLS sessions');
  });
  if (socket instanceof TLSSocket) {
    const timer = setInterval(() => {
      if (overheadOf(socket) - overhead > MAX_OVERHEAD_BYTES) end('sends too many bytes of TLS without data');
    }, CHECK_MS).unref();
    socket.once('close', () => clearInterval(timer));
  }
  return {
    requestStarted() {
      renegotiations = 0;
      sessions = 0;
      overhead = overheadOf(socket);
    },
  };
}

/** The part of a socket that has its connection below TLS. */
interface WithHandle {
  readonly _handle?: { readonly _parent?: { readonly bytesRead?: number } } | null;
}

/** How many bytes were received that are no data; 0 if that is not known. */
function overheadOf(socket: Socket & WithHandle): number {
  const received = socket._handle?._parent?.bytesRead ?? 0;
  return Math.max(received - socket.bytesRead, 0);
}
