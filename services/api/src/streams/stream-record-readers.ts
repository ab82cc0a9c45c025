import { projectPayload } from '@postrider/shared/catalogue/project-payload';
import { isEventType } from '@postrider/shared/domain/event-type';
import { readDateTime } from '@postrider/shared/domain/read-date-time';
import { sourceOf } from '@postrider/shared/kafka/outcome-records';
import { parseMessage } from '@postrider/shared/kafka/parse-message';
import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { unframe } from '@postrider/shared/kafka/wire-format';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import type { StreamRecord } from '../domain/stream-query.js';

/** Reads the records of one topic. */
export interface RecordReader {
  /** The workspace of a record, in most cases without decoding its value; null if it names none. */
  workspaceOf(record: PartitionRecord): string | null;
  /** Null for a record that streams do not show, or that cannot be decoded. Reads no header but the type. */
  read(record: PartitionRecord): StreamRecord | null;
}

/** The only header that is needed to read a record; `ce_source` is needed only to find its workspace. */
export const TYPE_HEADER = 'ce_type';

const SOURCE_PREFIX = sourceOf('');

/** Reads `webhook.outcomes`. */
export const OUTCOME_READER: RecordReader = {
  workspaceOf({ headers }) {
    const source = headers.ce_source?.toString();
    return source?.startsWith(SOURCE_PREFIX) ? source.slice(SOURCE_PREFIX.length) : null;
  },
  read(record) {
    const name = record.headers[TYPE_HEADER]?.toString();
    const value = jsonOf(record);
    if (name === undefined || value === null) return null;
    const { workspaceId: _, ...data } = value;
    const { deliveryId, endpointId, eventType } = data;
    return {
      name,
      eventType: String(eventType),
      endpointId: String(endpointId),
      payloadOf: name === 'delivery.created' ? String(deliveryId) : null,
      data,
    };
  },
};

/** Reads `workspace.events`: the same payloads that webhooks receive. */
export function createEventReader(catalogue: Pick<CatalogueView, 'current'>): RecordReader {
  const payloadOf = (eventType: string, value: Readonly<Record<string, unknown>>) => {
    if (isEventType(eventType)) {
      const projected = projectPayload(eventType, value);
      return 'payload' in projected ? projected.payload : null;
    }
    const { eventId, occurredAt: sent, workspaceId, ...fields } = value;
    const occurredAt = readDateTime(sent);
    const read = catalogue.current().types.get(eventType)?.compiled().read(fields);
    if (read === undefined || 'mistakes' in read) return null;
    if (typeof eventId !== 'string' || occurredAt === null) return null;
    return { eventId, occurredAt: occurredAt.toISOString(), workspaceId, ...read.fields };
  };
  return {
    workspaceOf: workspaceOfEvent,
    read(record) {
      const eventType = record.headers[TYPE_HEADER]?.toString();
      const value = jsonOf(record);
      if (eventType === undefined || value === null) return null;
      const payload = payloadOf(eventType, value);
      if (payload === null || payload.workspaceId !== workspaceOfEvent(record)) return null;
      const { eventId, occurredAt } = payload;
      const data = { eventId, eventType, occurredAt, payload };
      return { name: 'event.published', eventType, endpointId: null, payloadOf: null, data };
    },
  };
}

/**
 * The workspace that an event names, as for its deliveries. A producer may choose another key. The value is decoded only if it
 * does, or if it has several fields of that name.
 */
function workspaceOfEvent(record: PartitionRecord): string | null {
  const { key, value } = record;
  if (key !== null && value !== null && namesOnly(key, value)) return key.toString();
  const workspaceId = jsonOf(record)?.workspaceId;
  return typeof workspaceId === 'string' ? workspaceId : null;
}

const WORKSPACE_FIELD = '"workspaceId":';

/** Whether the only field of that name in a text of JSON, written with or without a space, has a key as its value. */
function namesOnly(key: Buffer, json: Buffer): boolean {
  const at = json.indexOf(WORKSPACE_FIELD);
  if (at === -1 || at !== json.lastIndexOf(WORKSPACE_FIELD)) return false;
  const from = at + WORKSPACE_FIELD.length;
  const named = `"${key}"`;
  return json
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
