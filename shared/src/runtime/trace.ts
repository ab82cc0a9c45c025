import { randomFillSync, randomUUID } from 'node:crypto';

/** Version, trace id, span id, flags; versions after 00 may append more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

const SPAN_ID_BYTES = 8;
/** Random bytes for the next span ids: they are made for 512 at a time. */
const random = Buffer.alloc(512 * SPAN_ID_BYTES);
let used = random.length;

/** A new W3C trace id: 32 hex digits. Made from a UUID, because Node buffers random bytes for UUIDs. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** A new W3C span id: 16 hex digits. */
export function newSpanId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += SPAN_ID_BYTES;
  return random.toString('hex', used - SPAN_ID_BYTES, used);
}

/** The trace id of a W3C `traceparent` header; null if it is invalid. */
export function traceIdOf(traceparent: string | undefined): string | null {
  return parse(traceparent)?.traceId ?? null;
}

/** The parent span id of a W3C `traceparent` header; null if it is invalid. */
export function parentSpanIdOf(traceparent: string | undefined): string | null {
  return parse(traceparent)?.spanId ?? null;
}

/** Formats a W3C `traceparent` header. */
export function traceparentOf(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

function parse(traceparent: string | undefined): { traceId: string; spanId: string } | null {
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
