/** The records that a stream can show. */
const STREAM_SOURCES = ['deliveries', 'events'] as const;
export type StreamSource = (typeof STREAM_SOURCES)[number];

/** What the caller of a stream asked for and may see. */
export interface StreamQuery {
  readonly source: StreamSource;
  readonly workspaceId: string;
  /** Null for all endpoints of the workspace. */
  readonly endpointIds: ReadonlySet<string> | null;
  readonly eventType: string | null;
  /** Whether created deliveries show their payloads. */
  readonly withPayload: boolean;
}

/** A stream that its caller may open. */
export interface StreamPermit {
  readonly query: StreamQuery;
  /** Writes the audit entry of the opening if one is required. Call it before anything is streamed. */
  readonly recordOpening: () => Promise<void>;
}

/** In milliseconds: a caller's openings within it, with the same content and from the same address, share an audit entry. */
const SAME_OPENING_MS = 3_600_000;

/** The start of the span of time in which openings share an audit entry. */
export function openingSpan(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % SAME_OPENING_MS));
}

/** Whether a stream shows payloads. The others show less than the lists, whose reading is not audited. */
export function showsPayloads({ source, withPayload }: Pick<StreamQuery, 'source' | 'withPayload'>): boolean {
  return source === 'events' || withPayload;
}

/** A record of a topic as streams show it. */
export interface StreamRecord {
  /** The name of the event in the stream. */
  readonly name: string;
  readonly eventType: string;
  /** Null for events, which belong to no endpoint. */
  readonly endpointId: string | null;
  /** The delivery whose payload may be added; null for records without one. */
  readonly payloadOf: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether a stream shows a record of its workspace. */
export function shows(
  { endpointIds, eventType }: Pick<StreamQuery, 'endpointIds' | 'eventType'>,
  record: Pick<StreamRecord, 'endpointId' | 'eventType'>,
): boolean {
  if (eventType !== null && record.eventType !== eventType) return false;
  return endpointIds === null || (record.endpointId !== null && endpointIds.has(record.endpointId));
}
