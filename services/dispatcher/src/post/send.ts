import type { ErrorDetail } from '@postrider/shared/domain/delivery';
import type { Outcome } from '@postrider/shared/domain/judge';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import type { LocalCause, PostRequest } from '../ports/poster.js';
import type { Connection, Connections, Reached } from './connections.js';
import { localCauseOf, tlsDetailOf } from './failure.js';
import { inTwoParts } from './in-two-parts.js';
import type { Resolution } from './name-cache.js';
import { createResponseHandler, type Moments, type ResponseHandlerOptions } from './response-handler.js';

interface SendParts extends Omit<ResponseHandlerOptions, 'deadlineMs'> {
  readonly connections: Pick<Connections, 'takeIdle' | 'open'>;
  /** Called before a connection is opened for a request that is sent again. */
  readonly resolve: (url: URL, request: PostRequest) => Promise<Resolution>;
  /** Called for each request that is sent again. */
  readonly onResent?: () => void;
}

export interface Sent {
  readonly outcome: Outcome;
  /** Those of the request that was sent last. */
  readonly moments: Moments;
  /** Whether the request was written to a connection at least once. */
  readonly isWritten: boolean;
  /** Null unless it failed for a reason that no receiver can cause. */
  readonly localCause: LocalCause | null;
  /** Null if no server was connected to. */
  readonly reached: Reached | null;
  /** Null unless a server was reached and no TLS connection with it was established. */
  readonly errorDetail: ErrorDetail | null;
  /** Whether the connection had served another request. */
  readonly isReused: boolean;
  /** Whether a byte of a response arrived. */
  readonly hasReceived: boolean;
}

/** Where to send. A URL would compute its origin and its path again for each request. */
export interface Target {
  readonly url: URL;
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

interface SendOptions {
  /** The connection to send on; null if the name of the receiver has just been resolved. */
  readonly idle: Connection | null;
  /** Monotonic, in milliseconds. */
  readonly deadline: number;
}

type Content = Pick<PostRequest, 'headers' | 'body' | 'splitMs'>;

/**
 * Sends a POST on an idle connection, or on a new one. A receiver may close an idle connection at the moment of its use. So
 * if a reused connection ends before the first byte of a response, whether or not the request was written, it is sent again at
 * once on a new connection, within the same deadline: both are one attempt. The receiver may have moved since the idle
 * connection was opened, so its name is resolved first; without an address, the first result stands.
 */
export function createSend({ connections, resolve, onResent = () => {}, ...limits }: SendParts) {
  const sendOn = (connection: Connection, to: Target, request: Content & { readonly deadlineMs: number }) =>
    new Promise<Sent>((settle) => {
      const { url, origin, path } = to;
      const { deadlineMs, splitMs } = request;
      const { headers, body } = splitMs === undefined ? request : inTwoParts(request, splitMs);
      const handler = createResponseHandler({ ...limits, deadlineMs }, (outcome, moments, error) => {
        const isWritten = moments.writtenAt !== null;
        if (!isWritten) connection.destroy();
        const isReused = connection.isReused();
        const hasReceived = connection.hasReceived();
        const reached = connection.reached();
        const errorDetail = failedInTls(url, outcome, reached) ? tlsDetailOf(error) : null;
        settle({
          outcome,
          moments,
          isWritten,
          reached,
          errorDetail,
          // An answer counts, whatever happens to its body.
          localCause: outcome.kind === 'answered' ? null : localCauseOf(error),
          isReused,
          hasReceived,
        });
      });
      connection.dispatch({ origin, path, method: 'POST', headers, body }, handler);
    });
  return async (to: Target, request: PostRequest, { idle, deadline }: SendOptions): Promise<Sent> => {
    const { url, origin } = to;
    const left = () => Math.max(deadline - limits.monotonicMs(), 1);
    const first = idle ?? connections.takeIdle(origin) ?? connections.open(origin);
    const sent = await sendOn(first, to, { ...request, deadlineMs: left() });
    if (!sent.isReused || sent.hasReceived || !endedByReceiver(sent.outcome)) return sent;
    const resolution = await withTimeout(resolve(url, request), left(), async () => null);
    if (resolution?.kind !== 'found') return sent;
    onResent();
    const resent = await sendOn(connections.open(origin), to, { ...request, deadlineMs: left() });
    return { ...resent, isWritten: sent.isWritten || resent.isWritten };
  };
}

/** A receiver may refuse a connection that is already established, for example because we send no client certificate. */
function failedInTls({ protocol }: URL, outcome: Outcome, reached: Reached | null): boolean {
  if (protocol !== 'https:' || outcome.kind !== 'unreachable' || reached === null) return false;
  return !reached.isEstablished || outcome.reason === 'tls';
}

function endedByReceiver(outcome: Outcome): boolean {
  return outcome.kind === 'unreachable' && outcome.reason === 'connection_reset';
}
