import { projectPayload } from '@postrider/shared/catalogue/project-payload';
import { type EventType, isEventType } from '@postrider/shared/domain/event-type';
import { readDateTime } from '@postrider/shared/domain/read-date-time';
import { sourceOf } from '@postrider/shared/kafka/outcome-records';
import { parseMessage } from '@postrider/shared/kafka/parse-message';
import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { firstText } from '@postrider/shared/kafka/read-record';
import { HEADER_BYTES, unframe } from '@postrider/shared/kafka/wire-format';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import type { StreamRecord } from '../domain/stream-query.js';
import { createNewerDefinitions } from './newer-definitions.js';

/** A record as it reads now. */
export interface Reading {
  /** Null for a record that streams do not show, or that cannot be decoded. */
  readonly shown: StreamRecord | null;
  /**
   * Reads the definitions that may be missing: afterwards the record may read otherwise. Never rejects. Null if the known
   * definitions are new enough.
   */
  readonly refresh: (() => Promise<void>) | null;
}

/** Reads the records of one topic. */
export interface RecordReader {
  /** The workspace of a record, in most cases without decoding its value; null if it names none. */
  workspaceOf(record: PartitionRecord): string | null;
  /**
   * Reads no header but the type.
   *
   * @param receivedAt by the monotonic clock: definitions that were read later are new enough
   */
  read(record: PartitionRecord, receivedAt: number): Reading;
}

/** The only header that is needed to read a record; `ce_source` is needed only to find its workspace. */
export const TYPE_HEADER = 'ce_type';

const SOURCE_PREFIX = sourceOf('');
const NOT_SHOWN: Reading = { shown: null, refresh: null };

/** Reads `webhook.outcomes`. */
export const OUTCOME_READER: RecordReader = {
  workspaceOf({ headers }) {
    const source = firstText(headers.ce_source);
    return source?.startsWith(SOURCE_PREFIX) ? source.slice(SOURCE_PREFIX.length) : null;
  },
  read(record) {
    const name = firstText(record.headers[TYPE_HEADER]);
    const value = jsonOf(record);
    if (name === undefined || value === null) return NOT_SHOWN;
    const { workspaceId: _, ...data } = value;
    const { deliveryId, endpointId, eventType } = data;
    const shown = {
      name,
      eventType: String(eventType),
      endpointId: String(endpointId),
      payloadOf: name === 'delivery.created' ? String(deliveryId) : null,
      data,
    };
    return { shown, refresh: null };
  },
};

/**
 * How old the definitions may be, in milliseconds, by which an event loses fields: a producer on Kafka may send such fields
 * forever, and its events must not wait. By definitions of the same second, an event may lose a new field.
 */
const TRUSTED_MS = 1_000;

/** The payload of an event by the known definitions. */
interface ReadPayload {
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** How old the definitions may be when the event is received, in milliseconds; null if newer ones change nothing. */
  readonly trustedMs: number | null;
}

const NO_EVENT: ReadPayload = { payload: null, trustedMs: null };

interface EventReaderParts {
  readonly catalogue: Pick<CatalogueView, 'current' | 'refresh'>;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/**
 * Reads `workspace.events`: the same payloads that webhooks receive. An event may have been accepted by a newer definition
 * than this process knows: if it cannot be read, or loses fields, the definitions are read again first.
 */
export function createEventReader(parts: EventReaderParts): RecordReader {
  const definitions = createNewerDefinitions(parts);
  const readCustom = (eventType: string, value: Readonly<Record<string, unknown>>): ReadPayload => {
    const { eventId, occurredAt: sent, workspaceId, ...fields } = value;
    const occurredAt = readDateTime(sent);
    if (typeof eventId !== 'string' || occurredAt === null) return NO_EVENT;
    const read = parts.catalogue.current().types.get(eventType)?.compiled().read(fields);
    if (read === undefined || 'mistakes' in read) return { payload: null, trustedMs: 0 };
    const payload = { eventId, occurredAt: occurredAt.toISOString(), workspaceId, ...read.fields };
    return { payload, trustedMs: read.fields === fields ? null : TRUSTED_MS };
  };
  return {
    workspaceOf: workspaceOfEvent,
    read(record, receivedAt) {
      const eventType = firstText(record.headers[TYPE_HEADER]);
      const value = jsonOf(record);
      if (eventType === undefined || value === null) return NOT_SHOWN;
      if (value.workspaceId !== workspaceOfEvent(record)) return NOT_SHOWN;
      const { payload, trustedMs } = isEventType(eventType)
        ? readBuiltIn(eventType, value)
        : readCustom(eventType, value);
      const refresh = trustedMs === null ? null : definitions.refreshSince(receivedAt - trustedMs);
      return { shown: payload && shownEvent(eventType, payload), refresh };
    },
  };
}

function readBuiltIn(eventType: EventType, value: Readonly<Record<string, unknown>>): ReadPayload {
  const projected = projectPayload(eventType, value);
  return 'payload' in projected ? { payload: projected.payload, trustedMs: null } : NO_EVENT;
}

function shownEvent(eventType: string, payload: Readonly<Record<string, unknown>>): StreamRecord {
  const { eventId, occurredAt } = payload;
  const data = { eventId, eventType, occurredAt, payload };
  return { name: 'event.published', eventType, endpointId: null, payloadOf: null, data };
}

/**
 * The workspace that an event names, as for its deliveries. A producer may choose another key. The value is decoded only if it
 * does, or if it has several fields of that name and does not begin as the api writes it.
 */
function workspaceOfEvent(record: PartitionRecord): string | null {
  const { key, value } = record;
  if (key !== null && value !== null && names(key, value)) return key.toString();
  const workspaceId = jsonOf(record)?.workspaceId;
  return typeof workspaceId === 'string' ? workspaceId : null;
}

const WORKSPACE_FIELD = '"workspaceId":';
/** What the api writes before that field, which is therefore no part of another one. */
const WRITTEN_BEFORE = /^\{"eventId":"[^"\\]*","occurredAt":"[^"\\]*",$/;

/**
 * Whether the first field of that name in a value, written with or without a space, has a key as its value, and is the field of
 * the event itself: the only one, or where the api writes it.
 */
function names(key: Buffer, value: Buffer): boolean {
  const at = value.indexOf(WORKSPACE_FIELD);
  if (at === -1) return false;
  const isOnlyOne = at === value.lastIndexOf(WORKSPACE_FIELD);
  if (!isOnlyOne && !WRITTEN_BEFORE.test(value.toString('utf8', HEADER_BYTES, at))) return false;
  const from = at + WORKSPACE_FIELD.length;
  const named = `"${key}"`;
  return value
    .toString('utf8', from, from + named.length + 1)
    .trimStart()
    .startsWith(named);
}

function jsonOf({ value }: PartitionRecord): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = parseMessage(unframe(value).text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
