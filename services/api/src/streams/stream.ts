import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { type StreamQuery, shows } from '../domain/stream-query.js';
import {
  formatEvent,
  formatEventWith,
  formatKeepAlive,
  formatReset,
  formatRetry,
  type StreamEvent,
} from './format-event.js';
import { sum } from './sum.js';
import type { Subscriber } from './watchers.js';
import type { Reservation } from './write-budget.js';

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
  /** Ends the connection, even if the client no longer takes anything. If nothing was written, refuses the request. */
  end(reason: StreamEnd): void;
}

export interface Stream extends Subscriber {
  /** Writes the first line. Before it nothing is written, also if the stream ends. */
  begin(): void;
  /**
   * Shows that the stream is open. Ends it if the client has not yet taken what was written before the last call.
   *
   * @param positions the positions up to which everything was written
   */
  keepAlive(positions: Positions | null): void;
  end(reason: StreamEnd): void;
}

/** Payloads as JSON. */
type PayloadsOf = (deliveryIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface StreamParts {
  readonly query: StreamQuery;
  readonly sink: StreamSink;
  readonly idOf: (positions: Positions) => string;
  readonly payloadsOf: PayloadsOf;
  /** Resolves once this many bytes may be read and written. */
  readonly reserve: (bytes: number) => Promise<Reservation>;
  /** Maximum number of bytes that wait for the client. */
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

const RETRY_MS = 1_000;
/** Maximum number of events that wait to be written. */
const MAX_WAITING = 2_000;
/** How many bytes are written before the client has to take them. */
const WRITTEN_AT_ONCE = 64 * 1024;
/** Maximum number of payloads in memory for one stream. */
const PAYLOADS_AT_ONCE = 10;
/** Bytes that are reserved for a payload until it is read. */
const MAX_PAYLOAD_BYTES = 256 * 1024;

/** One stream: selects the records that its caller may see and writes them in order. */
export function createStream(parts: StreamParts): Stream {
  const { query, sink, idOf, onEvents } = parts;
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let ready: PromiseWithResolvers<void> | null = null;
  /** What was written last, until the client has taken it. */
  let written: object | null = null;
  let writtenBefore: object | null = null;
  let hasBegun = false;
  let isWriting = false;
  let isEnded = false;

  const untaken = () => waitingBytes + sink.bufferedBytes();
  /** Half of the room is left for the records that are given at once. */
  const isReady = () =>
    isEnded || (waiting.length <= MAX_WAITING / 2 && untaken() <= parts.maxBufferedBytes() / 2);
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
    if (hasBegun) sink.write(formatEvent({ name: 'end', id: null, data: { reason } }));
    sink.end(reason);
    parts.onEnd(reason);
  };
  const write = async (texts: readonly string[]) => {
    if (isEnded) return;
    written = texts;
    sink.write(texts.join(''));
    onEvents(texts.length);
    await sink.drained();
    written = null;
  };
  const writeNext = async (next: readonly Waiting[], reserved: Reservation) => {
    const texts = isEnded ? [] : await textsOf(next, parts.payloadsOf);
    let bytes = bytesOf(texts);
    reserved.resize(bytes);
    for (const some of inParts(texts)) {
      await write(some);
      bytes -= bytesOf(some);
      reserved.resize(bytes);
      sayReady();
    }
  };
  const writeAll = async () => {
    while (waiting.length > 0) {
      const next = waiting.slice(0, countAtOnce(waiting));
      const reserved = await parts.reserve(sum(next.map(reservedFor)));
      waiting.splice(0, next.length);
      waitingBytes -= sum(next.map(sizeOf));
      await writeNext(next, reserved).finally(() => reserved.resize(0));
    }
  };
  const startWriting = () => {
    if (isWriting) return;
    isWriting = true;
    // Records of the same fetch are written together.
    setImmediate(() =>
      writeAll()
        // Payloads could not be read. At another process, or later, they may be.
        .catch(() => end('shutdown'))
        .finally(() => {
          isWriting = false;
          if (waiting.length > 0) startWriting();
        }),
    );
  };
  const add = (event: Waiting) => {
    if (isEnded) return;
    if (waiting.length >= MAX_WAITING || untaken() > parts.maxBufferedBytes()) return end('slow_reader');
    waiting.push(event);
    waitingBytes += sizeOf(event);
    startWriting();
  };

  return {
    workspaceId: query.workspaceId,
    begin() {
      if (isEnded) return;
      hasBegun = true;
      sink.write(formatRetry(RETRY_MS));
    },
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
    reset: () => add(formatReset()),
    keepAlive(positions) {
      if (isEnded || !hasBegun) return;
      if (written !== null && written === writtenBefore) return end('slow_reader');
      writtenBefore = written;
      const isLevel = waiting.length === 0 && !isWriting && positions !== null;
      sink.write(formatKeepAlive(isLevel ? idOf(positions) : null));
    },
    end,
  };
}

/** The size of an event; 0 for one whose payload is read only when it is written. */
function sizeOf(event: Waiting): number {
  return typeof event === 'string' ? event.length : 0;
}

function reservedFor(event: Waiting): number {
  return typeof event === 'string' ? event.length : MAX_PAYLOAD_BYTES;
}

function bytesOf(texts: readonly string[]): number {
  return sum(texts.map((text) => Buffer.byteLength(text)));
}

/** How many events are prepared together, but at least one. */
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

/** Parts of at least one text, and not much more than is written at once. */
function* inParts(texts: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let size = 0;
  for (const text of texts) {
    part.push(text);
    size += text.length;
    if (size < WRITTEN_AT_ONCE) continue;
    yield part;
    part = [];
    size = 0;
  }
  if (part.length > 0) yield part;
}

async function textsOf(waiting: readonly Waiting[], payloadsOf: PayloadsOf): Promise<readonly string[]> {
  const ids = waiting.flatMap((one) => (typeof one === 'string' ? [] : one.payloadOf));
  const payloads = ids.length === 0 ? new Map<string, string>() : await payloadsOf(ids);
  return waiting.map((one) => {
    if (typeof one === 'string') return one;
    const { event, payloadOf } = one;
    return formatEventWith(payloads.get(payloadOf) ?? 'null', event);
  });
}
