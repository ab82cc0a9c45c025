import { randomUUID } from 'node:crypto';

/** Version, trace id, span id, flags; later versions than 00 may append more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

const SPAN_ID_DIGITS = 16;

/** A fresh W3C trace id: 32 hex digits. Made of a UUID, because Node draws the random bytes of many of them at once. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** A fresh W3C span id: 16 hex digits. */
export function newSpanId(): string {
  return newTraceId().slice(-SPAN_ID_DIGITS);
}

/** The trace id of a W3C `traceparent` header; null when it is not a valid one. */
export function traceIdOf(traceparent: string | undefined): string | null {
  return parse(traceparent)?.traceId ?? null;
}

/** The span that a W3C `traceparent` header names as the cause; null when it is not a valid one. */
export function parentSpanIdOf(traceparent: string | undefined): string | null {
  return parse(traceparent)?.spanId ?? null;
}

/** The W3C `traceparent` header that hands a trace on. */
export function traceparentOf(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

function parse(traceparent: string | undefined): { traceId: string; spanId: string } | null {
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId };
}
