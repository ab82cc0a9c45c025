import { formatEventWith, type StreamEvent } from './format-event.js';
import { sum } from './sum.js';

/** An event to write as text, or one whose payload is read only when it is written. */
export type WaitingEvent = string | WithoutPayload;

interface WithoutPayload {
  readonly event: StreamEvent;
  readonly payloadOf: string;
}

/** Payloads as JSON. */
export type PayloadsOf = (deliveryIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The events of one stream that wait to be written, in order. */
interface EventQueue {
  add(event: WaitingEvent): void;
  /** The first events: those that are prepared together, but at least one. */
  next(): readonly WaitingEvent[];
  /** Removes the events that `next` returned, unless the queue was cleared. */
  remove(next: readonly WaitingEvent[]): void;
  clear(): void;
  count(): number;
  /** The size of the events, without payloads that are not read yet. */
  bytes(): number;
}

/** How many bytes are written before the client has to take them. */
export const WRITTEN_AT_ONCE = 64 * 1024;
/** Maximum number of payloads in memory for one stream. */
const PAYLOADS_AT_ONCE = 10;
/** Bytes that are reserved for a payload until it is read. */
const MAX_PAYLOAD_BYTES = 256 * 1024;

export function createEventQueue(): EventQueue {
  const events: WaitingEvent[] = [];
  let bytes = 0;
  return {
    add(event) {
      events.push(event);
      bytes += sizeOf(event);
    },
    next: () => events.slice(0, countAtOnce(events)),
    remove(next) {
      bytes -= sum(events.splice(0, next.length).map(sizeOf));
    },
    clear() {
      events.length = 0;
      bytes = 0;
    },
    count: () => events.length,
    bytes: () => bytes,
  };
}

/** Bytes to reserve for events until their payloads are read. */
export function bytesToReserve(events: readonly WaitingEvent[]): number {
  return sum(events.map((event) => (typeof event === 'string' ? event.length : MAX_PAYLOAD_BYTES)));
}

/** Reads the payloads of events. @returns the events as text */
export async function textsOf(
  events: readonly WaitingEvent[],
  payloadsOf: PayloadsOf,
): Promise<readonly string[]> {
  const ids = events.flatMap((one) => (typeof one === 'string' ? [] : one.payloadOf));
  const payloads = ids.length === 0 ? new Map<string, string>() : await payloadsOf(ids);
  return events.map((one) => {
    if (typeof one === 'string') return one;
    const { event, payloadOf } = one;
    return formatEventWith(payloads.get(payloadOf) ?? 'null', event);
  });
}

/** The size of an event; 0 for one whose payload is read only when it is written. */
function sizeOf(event: WaitingEvent): number {
  return typeof event === 'string' ? event.length : 0;
}

/** How many events are prepared together, but at least one. */
function countAtOnce(events: readonly WaitingEvent[]): number {
  let bytes = 0;
  let payloads = 0;
  for (const [index, event] of events.entries()) {
    bytes += sizeOf(event);
    payloads += typeof event === 'string' ? 0 : 1;
    if (index > 0 && (bytes > WRITTEN_AT_ONCE || payloads > PAYLOADS_AT_ONCE)) return index;
  }
  return events.length;
}
