import { createHash } from 'node:crypto';
import type { CustomEventType } from '@postrider/shared/catalogue/catalogue';
import { projectPayload } from '@postrider/shared/catalogue/project-payload';
import {
  type EventType,
  type EventTypeName,
  isEventType,
  isEventTypeName,
  isReservedName,
} from '@postrider/shared/domain/event-type';
import { timeOfId } from '@postrider/shared/domain/id';
import type { InputMistake } from '@postrider/shared/domain/input-mistake';
import { isRecord } from '@postrider/shared/domain/is-record';
import { A_DATE_TIME, readDateTime } from '@postrider/shared/domain/read-date-time';
import { unstorableParts } from '@postrider/shared/domain/unstorable';
import type { CustomPayload } from '@postrider/shared/events/domain-event';
import type { EventPayload } from '@postrider/shared/events/event-payloads';

/** A validated event. */
export interface ReadEvent {
  readonly type: EventTypeName;
  readonly payload: EventPayload | CustomPayload;
  /**
   * The time used for identifiers, order and what an endpoint is owed: `occurredAt` of a built-in event, but the time in the
   * identifier of a custom one, because its publisher may choose any `occurredAt`.
   */
  readonly occurredAt: Date;
  readonly traceId: string;
  /** The span that caused the event, if known. */
  readonly parentSpanId?: string;
}

/** An event of a custom type, and whether it had fields that its schema does not name. */
export interface ReadCustomEvent {
  readonly event: ReadEvent;
  readonly hasDropped: boolean;
}

export interface Problem {
  readonly problem: string;
}

/** How far an event's time may be ahead of the clock, in milliseconds. The time becomes part of identifiers. */
const AHEAD_MS = 5 * 60_000;

export interface EventParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly now: Date;
  readonly traceIdOf: (traceparent: string | undefined) => string | null;
}

/** The type that an event's headers name. */
export type NamedType = { readonly builtIn: EventType } | { readonly custom: EventTypeName } | Problem;

export function namedType(headers: EventParts['headers']): NamedType {
  const type = headers.ce_type;
  if (type === undefined) return { problem: 'the header ce_type is missing' };
  if (isEventType(type)) return { builtIn: type };
  const mayBeCustom = isEventTypeName(type) && !isReservedName(type);
  return mayBeCustom ? { custom: type } : { problem: `ce_type "${type}" is not an event type` };
}

/** @returns the event, or why it is invalid */
export function readBuiltIn(type: EventType, parts: EventParts): ReadEvent | Problem {
  const projected = projectPayload(type, parts.value);
  if ('problem' in projected) return projected;
  const { payload } = projected;
  return readAt(new Date(payload.occurredAt), { type, payload }, parts);
}

/** @returns the event, or why it is invalid */
export function readCustom(
  { definition, compiled }: CustomEventType,
  parts: EventParts,
): ReadCustomEvent | Problem {
  const { value } = parts;
  if (!isRecord(value)) return { problem: 'the value is not an object' };
  const { eventId, occurredAt: sent, workspaceId, ...fields } = value;
  const moment = typeof eventId === 'string' ? timeOfId('event', eventId) : null;
  if (moment === null) return { problem: 'eventId is not evt_ and 26 characters, 10 of time and 16 random' };
  const occurredAt = readDateTime(sent);
  if (occurredAt === null) return { problem: `occurredAt is not ${A_DATE_TIME}` };
  if (typeof workspaceId !== 'string' || !/^ws_[a-z0-9]+$/.test(workspaceId))
    return { problem: 'workspaceId is not the identifier of a workspace' };
  const checked = compiled().read(fields);
  if ('mistakes' in checked) return problemOf(checked.mistakes);
  const unstorable = unstorableParts(checked.fields, 'any');
  if (unstorable.length > 0) return problemOf(unstorable);
  const envelope = { eventId: String(eventId), occurredAt: occurredAt.toISOString(), workspaceId };
  const payload = { ...envelope, ...checked.fields };
  const event = readAt(moment, { type: definition.name, payload }, parts);
  return 'problem' in event ? event : { event, hasDropped: checked.fields !== fields };
}

function problemOf([first]: readonly InputMistake[]): Problem {
  return { problem: `${first?.path ?? ''} ${first?.message ?? 'does not match its schema'}`.trim() };
}

function readAt(
  occurredAt: Date,
  event: Pick<ReadEvent, 'type' | 'payload'>,
  { headers, now, traceIdOf }: EventParts,
): ReadEvent | Problem {
  if (occurredAt.getTime() > now.getTime() + AHEAD_MS)
    return { problem: `its time ${occurredAt.toISOString()} is in the future` };
  const traceId = traceIdOf(headers.traceparent) ?? derivedTraceId(event.payload.eventId);
  return { ...event, occurredAt, traceId };
}

/** Derives the trace id of an event without one, the same each time the event is read. */
function derivedTraceId(eventId: string): string {
  return createHash('sha256').update(eventId).digest('hex').slice(0, 32);
}
