import { createHash } from 'node:crypto';
import { type EventType, isEventType } from '@postrider/shared/domain/event-type';
import { projectPayload } from '@postrider/shared/events/domain-event';
import type { EventPayload } from '@postrider/shared/events/event-payloads';

/** A domain event as fan-out works with it. */
export interface ReadEvent {
  readonly type: EventType;
  readonly payload: EventPayload;
  readonly occurredAt: Date;
  readonly traceId: string;
  /** The span that caused the event, where it is known. */
  readonly parentSpanId?: string;
}

/** An event may be this far ahead of the clock, in milliseconds. Its time becomes part of identifiers. */
const AHEAD_MS = 5 * 60_000;

interface EventParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly now: Date;
  readonly traceIdOf: (traceparent: string | undefined) => string | null;
}

/** @returns the event, or why no webhook can be made of it */
export function readEvent({
  headers,
  value,
  now,
  traceIdOf,
}: EventParts): ReadEvent | { readonly problem: string } {
  const type = headers.ce_type;
  if (type === undefined) return { problem: 'the header ce_type is missing' };
  if (!isEventType(type)) return { problem: `ce_type "${type}" is no event type` };
  const projected = projectPayload(type, value);
  if ('problem' in projected) return projected;
  const { payload } = projected;
  const occurredAt = new Date(payload.occurredAt);
  if (Number.isNaN(occurredAt.getTime())) return { problem: `occurredAt ${payload.occurredAt} is no moment` };
  if (occurredAt.getTime() > now.getTime() + AHEAD_MS)
    return { problem: `occurredAt ${payload.occurredAt} is in the future` };
  return {
    type,
    payload,
    occurredAt,
    traceId: traceIdOf(headers.traceparent) ?? derivedTraceId(payload.eventId),
  };
}

/** An event without a trace gets one that is the same every time it is read. */
function derivedTraceId(eventId: string): string {
  return createHash('sha256').update(eventId).digest('hex').slice(0, 32);
}
