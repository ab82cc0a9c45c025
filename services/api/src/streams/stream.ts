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

/** Events that wait for their payloads. */
const MOST_WAITING = 2_000;
/** Payloads in memory for one stream. */
const PAYLOADS_AT_ONCE = 10;

/** One stream: selects the records that its caller may see and writes them in order. */
export function createStream(parts: StreamParts): Stream {
  const { query, sink, idOf, onEvents } = parts;
  const waiting: Waiting[] = [];
  let isWriting = false;
  let isEnded = false;

  const end = (reason: StreamEnd) => {
    if (isEnded) return;
    isEnded = true;
    waiting.length = 0;
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
      const isComplete = waiting.every((one) => typeof one === 'string');
      if (!isComplete) await sink.drained();
      const next = waiting.splice(0, isComplete ? waiting.length : PAYLOADS_AT_ONCE);
      write(await textsOf(next, parts.payloadsOf));
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
    waiting.push(event);
    if (waiting.length > MOST_WAITING || sink.bufferedBytes() > parts.maxBufferedBytes()) end('slow_reader');
    else startWriting();
  };

  return {
    workspaceId: query.workspaceId,
    take({ record, id, text }) {
      if (!shows(query, record)) return;
      const { name, data, payloadOf } = record;
      const isWithout = query.withPayload && payloadOf !== null;
      add(isWithout ? { event: { name, id: id(), data }, payloadOf } : text());
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

async function textsOf(waiting: readonly Waiting[], payloadsOf: PayloadsOf): Promise<readonly string[]> {
  const ids = waiting.flatMap((one) => (typeof one === 'string' ? [] : one.payloadOf));
  const payloads = ids.length === 0 ? new Map<string, unknown>() : await payloadsOf(ids);
  return waiting.map((one) => {
    if (typeof one === 'string') return one;
    const { event, payloadOf } = one;
    return formatEvent({ ...event, data: { ...event.data, payload: payloads.get(payloadOf) ?? null } });
  });
}
