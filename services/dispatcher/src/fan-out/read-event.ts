import { createHash } from 'node:crypto';
import { type EventType, isEventType } from '@postrider/shared/domain/event-type';
import { projectPayload } from '@postrider/shared/events/domain-event';
import type { EventPayload } from '@postrider/shared/events/event-payloads';

/** A validated domain event. */
export interface ReadEvent {
  readonly type: EventType;
  readonly payload: EventPayload;
  readonly occurredAt: Date;
  readonly traceId: string;
  /** The span that caused the event, if known. */
  readonly parentSpanId?: string;
}

/** How far an event's time may be ahead of the clock, in milliseconds. The time becomes part of identifiers. */
const AHEAD_MS = 5 * 60_000;

interface EventParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly now: Date;
  readonly traceIdOf: (traceparent: string | undefined) => string | null;
}

/** @returns the event, or why it is invalid */
export function readEvent({
  headers,
  value,
  now,
  traceIdOf,
}: EventParts): ReadEvent | { readonly problem: string } {
  const type = headers.ce_type;
  if (type === undefined) return { problem: 'the header ce_type is missing' };
  if (!isEventType(type)) return { problem: `ce_type "${type}" is not an event type` };
  const projected = projectPayload(type, value);
  if ('problem' in projected) return projected;
  const { payload } = projected;
  const occurredAt = new Date(payload.occurredAt);
  if (Number.isNaN(occurredAt.getTime()))
    return { problem: `occurredAt ${payload.occurredAt} is not a date` };
  if (occurredAt.getTime() > now.getTime() + AHEAD_MS)
    return { problem: `occurredAt ${payload.occurredAt} is in the future` };
  return {
    type,
    payload,
    occurredAt,
    traceId: traceIdOf(headers.traceparent) ?? derivedTraceId(payload.eventId),
  };
}

/** Derives the trace id of an event without one, the same each time the event is read. */
function derivedTraceId(eventId: string): string {
  return createHash('sha256').update(eventId).digest('hex').slice(0, 32);
}
