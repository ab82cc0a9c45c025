import { randomBytes } from 'node:crypto';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** A fresh W3C trace id: 32 hex digits. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** The trace id of a W3C `traceparent` header; null when it is not a valid one. */
export function traceIdOf(traceparent: string | undefined): string | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || traceparent?.startsWith('ff')) return null;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId ?? '') ? null : traceId;
}
