import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { type StreamQuery, type StreamRecord, shows } from '../domain/stream-query.js';
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

interface Waiting extends StreamEvent {
  readonly payloadOf: string | null;
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
  const write = (events: readonly StreamEvent[]) => {
    if (isEnded || events.length === 0) return;
    sink.write(events.map(formatEvent).join(''));
    onEvents(events.length);
  };
  const writeAll = async () => {
    while (waiting.length > 0) {
      if (!waiting.some(({ payloadOf }) => payloadOf !== null)) {
        write(waiting.splice(0));
        return;
      }
      await sink.drained();
      const next = waiting.splice(0, PAYLOADS_AT_ONCE);
      write(await withPayloads(next, parts.payloadsOf));
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
    take(record: StreamRecord, positions) {
      if (!shows(query, record)) return;
      const { name, data } = record;
      const payloadOf = query.withPayload ? record.payloadOf : null;
      add({ name, id: idOf(positions()), data, payloadOf });
    },
    reset: () => add({ name: 'reset', id: null, data: {}, payloadOf: null }),
    keepAlive(positions) {
      if (isEnded) return;
      const isLevel = waiting.length === 0 && !isWriting && positions !== null;
      sink.write(formatKeepAlive(isLevel ? idOf(positions) : null));
    },
    end,
  };
}

async function withPayloads(events: readonly Waiting[], payloadsOf: PayloadsOf): Promise<StreamEvent[]> {
  const ids = events.flatMap(({ payloadOf }) => payloadOf ?? []);
  const payloads = await payloadsOf(ids);
  return events.map(({ name, id, data, payloadOf }) =>
    payloadOf === null
      ? { name, id, data }
      : { name, id, data: { ...data, payload: payloads.get(payloadOf) ?? null } },
  );
}
