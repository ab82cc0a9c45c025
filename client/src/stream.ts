import { authorizationOf, InvalidToken } from './authorization.js';
import type { components, operations } from './generated/openapi.js';
import { errorOf, hasType, PostriderError, UnexpectedAnswer } from './postrider-error.js';
import { readServerSentEvents } from './read-server-sent-events.js';
import { sleep } from './sleep.js';

export type StreamedDelivery = components['schemas']['StreamedDelivery'];
export type StreamedEvent = components['schemas']['StreamedEvent'];
/** What the stream shows. */
export type StreamFilter = NonNullable<operations['stream_deliveries']['parameters']['query']>;

/** One event of a stream. `id` resumes the stream after it. */
export type StreamMessage =
  | {
      readonly type: 'delivery.created' | 'delivery.attempted' | 'delivery.ended';
      readonly id: string;
      readonly data: StreamedDelivery;
    }
  | { readonly type: 'event.published'; readonly id: string; readonly data: StreamedEvent }
  | { readonly type: 'reset'; readonly id: string | null; readonly data: object };

export interface StreamOptions {
  /** The `id` of the last message that was handled, to resume after it within five minutes. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called each time the stream is connected. It then shows new events, or resumes where it stopped. */
  readonly onOpen?: () => void;
  /** Called each time the stream is not connected and will try again. */
  readonly onDisconnect?: (disconnection: StreamDisconnection) => void;
  /** What a temporary failure of the first connection does. `throw` is the default; `retry` tries again, as later ones do. */
  readonly firstFailure?: 'throw' | 'retry';
  /**
   * Called with each new position, once everything before it was handled: a `lastEventId` for another stream. The server sends
   * positions without a message as well, so that a quiet stream can be resumed.
   */
  readonly onPosition?: (id: string) => void;
}

/** Why a stream is not connected. */
export interface StreamDisconnection {
  /** Null if the server ended the connection, or sent nothing for a long time. */
  readonly error: unknown;
  /** When the server last sent something. Null if it never did. */
  readonly lastContactAt: Date | null;
}

interface StreamParts {
  readonly url: string;
  readonly token: string | undefined;
  readonly send: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The state of a stream over all its connections. */
interface Progress {
  /** After which the next connection resumes. */
  position: string | null;
  /** Connections since the last event that brought none. */
  failures: number;
  /** When the last event came; null before the first. */
  lastContactAt: Date | null;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The server writes at least every 15 seconds. */
const SILENT_MS = 45_000;
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 429]);
const NEVER = new AbortController().signal;

export function createStream({ url, token, send, now }: StreamParts) {
  const connect = async (filter: StreamFilter, lastEventId: string | null, signal: AbortSignal) => {
    const query = Object.entries(filter).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      query.map(([name, value]) => [name, String(value)] as [string, string]),
    );
    const headers = {
      accept: 'text/event-stream',
      ...(token !== undefined && { authorization: authorizationOf(token) }),
      ...(lastEventId !== null && { 'last-event-id': lastEventId }),
    };
    const response = await send(new Request(`${url}?${search}`, { headers, signal }));
    const isStream = response.ok && hasType(response.headers, 'text/event-stream');
    if (!isStream || response.body === null) throw await errorOf(response);
    return response.body;
  };
  return async function* stream(
    filter: StreamFilter = {},
    {
      lastEventId = null,
      signal = NEVER,
      onOpen = () => {},
      onDisconnect = () => {},
      firstFailure = 'throw',
      onPosition = () => {},
    }: Omit<StreamOptions, 'lastEventId'> & { lastEventId?: string | null } = {},
  ): AsyncGenerator<StreamMessage, void, undefined> {
    const progress: Progress = { position: lastEventId, failures: 0, lastContactAt: null };
    let mayRetry = firstFailure === 'retry';
    for (;;) {
      const connection = new AbortController();
      const both = AbortSignal.any([signal, connection.signal]);
      let error: unknown = null;
      try {
        const body = await connect(filter, progress.position, both);
        mayRetry = true;
        yield* messagesOf(texts(body, connection, signal), progress, { now, onOpen, onPosition });
      } catch (caught) {
        if (signal.aborted || !mayRetry || isRefusal(caught)) throw caught;
        error = caught;
      } finally {
        connection.abort();
      }
      if (!signal.aborted) onDisconnect({ error, lastContactAt: progress.lastContactAt });
      await sleep(Math.min(FIRST_WAIT_MS * 2 ** progress.failures, LONGEST_WAIT_MS), signal);
      progress.failures += 1;
    }
  };
}

/** The messages of one connection, until the server ends it. */
async function* messagesOf(
  body: AsyncIterable<string>,
  progress: Progress,
  {
    now,
    onOpen,
    onPosition,
  }: Pick<StreamParts, 'now'> & Required<Pick<StreamOptions, 'onOpen' | 'onPosition'>>,
): AsyncGenerator<StreamMessage, void, undefined> {
  let isOpen = false;
  for await (const { type, id, data } of readServerSentEvents(body)) {
    progress.failures = 0;
    progress.lastContactAt = new Date(now());
    const before = progress.position;
    // The first messages of a connection may have none.
    const position = id ?? before;
    progress.position = position;
    if (!isOpen && id !== null) onOpen();
    isOpen ||= id !== null;
    if (data !== '' && type !== 'end') yield { type, id, data: JSON.parse(data) } as StreamMessage;
    if (position !== null && position !== before) onPosition(position);
  }
}

/** Whether the server refuses the stream, so that a retry is useless. While a server or a proxy restarts, a retry helps. */
function isRefusal(error: unknown): boolean {
  if (error instanceof InvalidToken) return true;
  if (error instanceof PostriderError && error.is('StreamsDisabled')) return true;
  const hasAnswer = error instanceof PostriderError || error instanceof UnexpectedAnswer;
  return hasAnswer && error.status < 500 && !TEMPORARY_STATUSES.has(error.status);
}

/**
 * The text of a body. Aborts the connection when nothing arrives for a long time. The body is cancelled here, because the
 * signal of a request may be collected as garbage once its response has begun, and then aborts nothing (Node 24).
 */
async function* texts(
  body: ReadableStream<Uint8Array>,
  connection: AbortController,
  stopped: AbortSignal,
): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const signals = [stopped, connection.signal];
  for (const signal of signals) signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const timer = setTimeout(() => connection.abort(new Error('the stream is silent')), SILENT_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', cancel);
    cancel();
  }
}
