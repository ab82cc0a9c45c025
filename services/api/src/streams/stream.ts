import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { type StreamQuery, shows } from '../domain/stream-query.js';
import { formatEvent, formatKeepAlive, type StreamEvent } from './format-event.js';
import type { Subscriber } from './watchers.js';

/** Why the server ends a stream. The last event says it. */
export const STREAM_ENDS = ['slow_reader', 'token_ended', 'shutdown'] as const;
export type StreamEnd = (typeof STREAM_ENDS)[number];

/** The connection that a stream is written to. */
export interface StreamSink {
  write(text: string): void;
  /** Bytes that the client has not taken yet. */
  bufferedBytes(): number;
  /** Resolves when the client has taken everything, or is gone. */
  drained(): Promise<void>;
  /** Ends the connection, even if the client takes nothing any more. */
  end(): void;
}

export interface Stream extends Subscriber {
  /** Shows that the stream is open. @param positions those up to which everything was written */
  keepAlive(positions: Positions | null): void;
  end(reason: StreamEnd): void;
}

type PayloadsOf = (deliveryIds: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

interface StreamParts {
  readonly query: StreamQuery;
  readonly sink: StreamSink;
  readonly idOf: (positions: Positions) => string;
  readonly payloadsOf: PayloadsOf;
  /** Bytes that may wait for the client. */
  readonly maxBufferedBytes: () => number;
  readonly onEvents: (count: number) => void;
  readonly onEnd: (reason: StreamEnd) => void;
}

/** An event to write, or one whose payload has to be read first. */
type Waiting = string | WithoutPayload;

interface WithoutPayload {
  readonly event: StreamEvent;
  readonly payloadOf: string;
}

/** Events that wait to be written. */
const MOST_WAITING = 2_000;
/** What is written before the client has to take it. */
const WRITTEN_AT_ONCE = 64 * 1024;
/** Payloads in memory for one stream. */
const PAYLOADS_AT_ONCE = 10;

/** One stream: selects the records that its caller may see and writes them in order. */
export function createStream(parts: StreamParts): Stream {
  const { query, sink, idOf, onEvents } = parts;
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let ready: PromiseWithResolvers<void> | null = null;
  let isWriting = false;
  let isEnded = false;

  const untaken = () => waitingBytes + sink.bufferedBytes();
  /** Half of what may wait is left for what is given at once. */
  const isReady = () =>
    isEnded || (waiting.length <= MOST_WAITING / 2 && untaken() <= parts.maxBufferedBytes() / 2);
  const sayReady = () => {
    if (ready === null || !isReady()) return;
    ready.resolve();
    ready = null;
  };
  const end = (reason: StreamEnd) => {
    if (isEnded) return;
    isEnded = true;
    waiting.length = 0;
    waitingBytes = 0;
    sayReady();
    sink.write(formatEvent({ name: 'end', id: null, data: { reason } }));
    sink.end();
    parts.onEnd(reason);
  };
  const write = (texts: readonly string[]) => {
    if (isEnded || texts.length === 0) return;
    sink.write(texts.join(''));
    onEvents(texts.length);
  };
  const writeAll = async () => {
    while (waiting.length > 0) {
      const next = waiting.splice(0, countAtOnce(waiting));
      waitingBytes -= sum(next.map(sizeOf));
      write(await textsOf(next, parts.payloadsOf));
      await sink.drained();
      sayReady();
    }
  };
  const startWriting = () => {
    if (isWriting) return;
    isWriting = true;
    // Records of the same fetch are written together.
    setImmediate(() =>
      writeAll()
        .catch(() => end('slow_reader'))
        .finally(() => {
          isWriting = false;
          if (waiting.length > 0) startWriting();
        }),
    );
  };
  const add = (event: Waiting) => {
    if (isEnded) return;
    if (waiting.length >= MOST_WAITING || untaken() > parts.maxBufferedBytes()) return end('slow_reader');
    waiting.push(event);
    waitingBytes += sizeOf(event);
    startWriting();
  };

  return {
    workspaceId: query.workspaceId,
    take({ record, id, text }) {
      if (!shows(query, record)) return;
      const { name, data, payloadOf } = record;
      const isWithout = query.withPayload && payloadOf !== null;
      add(isWithout ? { event: { name, id: id(), data }, payloadOf } : text());
    },
    readiness() {
      if (isReady()) return null;
      ready ??= Promise.withResolvers<void>();
      return ready.promise;
    },
    reset: () => add(formatEvent({ name: 'reset', id: null, data: {} })),
    keepAlive(positions) {
      if (isEnded) return;
      const isLevel = waiting.length === 0 && !isWriting && positions !== null;
      sink.write(formatKeepAlive(isLevel ? idOf(positions) : null));
    },
    end,
  };
}

/** Of an event without its payload, which is read once it is written. */
function sizeOf(event: Waiting): number {
  return typeof event === 'string' ? event.length : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** How many events are written together: at least one. */
function countAtOnce(waiting: readonly Waiting[]): number {
  let bytes = 0;
  let payloads = 0;
  for (const [index, event] of waiting.entries()) {
    bytes += sizeOf(event);
    payloads += typeof event === 'string' ? 0 : 1;
    if (index > 0 && (bytes > WRITTEN_AT_ONCE || payloads > PAYLOADS_AT_ONCE)) return index;
  }
  return waiting.length;
}

async function textsOf(waiting: readonly Waiting[], payloadsOf: PayloadsOf): Promise<readonly string[]> {
  const ids = waiting.flatMap((one) => (typeof one === 'string' ? [] : one.payloadOf));
  const payloads = ids.length === 0 ? new Map<string, unknown>() : await payloadsOf(ids);
  return waiting.map((one) => {
    if (typeof one === 'string') return one;
    const { event, payloadOf } = one;
    return formatEvent({ ...event, data: { ...event.data, payload: payloads.get(payloadOf) ?? null } });
  });
}
