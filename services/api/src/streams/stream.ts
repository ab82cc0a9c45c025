import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { type StreamQuery, shows } from '../domain/stream-query.js';
import {
  bytesToReserve,
  createEventQueue,
  type PayloadsOf,
  textsOf,
  type WaitingEvent,
  WRITTEN_AT_ONCE,
} from './event-queue.js';
import { formatEvent, formatKeepAlive, formatReset, formatRetry } from './format-event.js';
import { slicesOf } from './slices.js';
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
   * Shows that the stream is open. Ends it if the client has not yet taken what was written before the last call, or takes too
   * long for everything that was reserved together.
   *
   * @param positions the positions up to which everything was written
   */
  keepAlive(positions: Positions | null): void;
  end(reason: StreamEnd): void;
}

interface StreamParts {
  readonly query: StreamQuery;
  readonly sink: StreamSink;
  readonly idOf: (positions: Positions) => string;
  readonly payloadsOf: PayloadsOf;
  /** Resolves once this many bytes may be read and written. */
  readonly reserve: (bytes: number) => Promise<Reservation>;
  /** Maximum number of bytes that wait for the client. */
  readonly maxBufferedBytes: () => number;
  /** Monotonic, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly onEvents: (count: number) => void;
  readonly onEnd: (reason: StreamEnd) => void;
}

const RETRY_MS = 1_000;
/** How long a client may take for what was reserved together, in milliseconds: others wait for these bytes. */
const LONGEST_WRITE_MS = 60_000;
/** Maximum number of events that wait to be written. */
const MAX_WAITING = 2_000;

/** One stream: selects the records that its caller may see and writes them in order. */
export function createStream(parts: StreamParts): Stream {
  const { query, sink, idOf, onEvents, monotonicMs } = parts;
  const waiting = createEventQueue();
  let ready: PromiseWithResolvers<void> | null = null;
  /** What was written last, until the client has taken it. */
  let written: object | null = null;
  let writtenBefore: object | null = null;
  /** When the first part of what is reserved was written; null if nothing is being written. */
  let writingSince: number | null = null;
  let hasBegun = false;
  let isWriting = false;
  let isEnded = false;

  const untaken = () => waiting.bytes() + sink.bufferedBytes();
  /** Half of the room is left for the records that are given at once. */
  const isReady = () =>
    isEnded || (waiting.count() <= MAX_WAITING / 2 && untaken() <= parts.maxBufferedBytes() / 2);
  const sayReady = () => {
    if (ready === null || !isReady()) return;
    ready.resolve();
    ready = null;
  };
  const end = (reason: StreamEnd) => {
    if (isEnded) return;
    isEnded = true;
    waiting.clear();
    sayReady();
    if (hasBegun) sink.write(formatEvent({ name: 'end', id: null, data: { reason } }));
    sink.end(reason);
    parts.onEnd(reason);
  };
  const isSlow = () =>
    (written !== null && written === writtenBefore) ||
    (writingSince !== null && monotonicMs() - writingSince > LONGEST_WRITE_MS);
  const write = async (texts: readonly string[]) => {
    if (isEnded) return;
    written = texts;
    sink.write(texts.join(''));
    onEvents(texts.length);
    await sink.drained();
    written = null;
  };
  const writeNext = async (next: readonly WaitingEvent[], reserved: Reservation) => {
    const texts = isEnded ? [] : await textsOf(next, parts.payloadsOf);
    let bytes = bytesOf(texts);
    reserved.resize(bytes);
    writingSince = monotonicMs();
    for (const some of slicesOf(texts, { bytes: WRITTEN_AT_ONCE, sizeOf: ({ length }) => length })) {
      await write(some);
      bytes -= bytesOf(some);
      reserved.resize(bytes);
      sayReady();
    }
  };
  const writeAll = async () => {
    while (waiting.count() > 0) {
      const next = waiting.next();
      const reserved = await parts.reserve(bytesToReserve(next));
      waiting.remove(next);
      await writeNext(next, reserved).finally(() => {
        writingSince = null;
        reserved.resize(0);
      });
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
          if (waiting.count() > 0) startWriting();
        }),
    );
  };
  const add = (event: WaitingEvent) => {
    if (isEnded) return;
    if (waiting.count() >= MAX_WAITING || untaken() > parts.maxBufferedBytes()) return end('slow_reader');
    waiting.add(event);
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
      if (isSlow()) return end('slow_reader');
      writtenBefore = written;
      const isLevel = waiting.count() === 0 && !isWriting && positions !== null;
      sink.write(formatKeepAlive(isLevel ? idOf(positions) : null));
    },
    end,
  };
}

function bytesOf(texts: readonly string[]): number {
  return sum(texts.map((text) => Buffer.byteLength(text)));
}
