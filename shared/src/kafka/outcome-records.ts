import { type DeliveryOutcome, OUTCOME_KINDS, type OutcomeKind } from '../domain/delivery-outcome.js';
import { newSpanId, traceparentOf } from '../runtime/trace.js';
import { asciiJson, type EncodedRecords, headerCount, sized } from './encoded-record.js';
import { frame } from './wire-format.js';

/** The value of `ce_source` for a workspace. */
export function sourceOf(workspaceId: string): string {
  return `/workspaces/${workspaceId}`;
}

/** The parts that all records of a kind have. */
interface Constant {
  /** Before the JSON of the value. */
  readonly frame: string;
  /** Up to the name of the first header whose value differs. */
  readonly headers: string;
}

const HEADERS = 7;
const ID = sized('ce_id');
const SOURCE = sized('ce_source');
const TIME = sized('ce_time');
const TRACEPARENT = sized('traceparent');

/**
 * Makes the records of outcomes, with CloudEvents 1.0 binary headers. The header `ce_source` names the workspace, so that a
 * reader can skip those of others without decoding them. A delivery has three records, so each is one text: identifiers and
 * the values of closed lists need no escapes, and the value is not checked against its schema, because its type is. Records
 * that are made together have the same span: that of their publication.
 */
export function createOutcomeEncoder(schemaIds: Readonly<Record<OutcomeKind, number>>) {
  const constants = Object.fromEntries(
    OUTCOME_KINDS.map((kind) => [kind, constantOf(kind, schemaIds[kind])]),
  ) as Record<OutcomeKind, Constant>;
  return (outcomes: readonly DeliveryOutcome[]): EncodedRecords[] => {
    const byKey = new Map<string, string[]>();
    const timeOf = createTimes();
    const spanId = newSpanId();
    for (const outcome of outcomes) {
      const { endpointId } = outcome.value;
      const encoded = encodeOutcome(outcome, constants[outcome.kind], { spanId, at: timeOf(outcome.at) });
      const others = byKey.get(endpointId);
      if (others === undefined) byKey.set(endpointId, [encoded]);
      else others.push(encoded);
    }
    return [...byKey].map(([key, encoded]) => ({ key, encoded }));
  };
}

function constantOf(kind: OutcomeKind, schemaId: number): Constant {
  const headers = { ce_specversion: '1.0', 'content-type': 'application/json', ce_type: kind };
  const parts = Object.entries(headers).map(([name, value]) => sized(name) + sized(value));
  return {
    frame: frame(schemaId, '').toString('latin1'),
    headers: `${headerCount(HEADERS)}${parts.join('')}${ID}`,
  };
}

/**
 * The fields are in the order of the schema. The parts are joined at once: a text that grows part by part is one object for
 * each of them, and is copied again when it is written.
 */
function encodeOutcome(
  { id, traceId, value }: DeliveryOutcome,
  constant: Constant,
  { spanId, at }: { readonly spanId: string; readonly at: string },
): string {
  const { workspaceId, deliveryId, endpointId, attempts, httpStatus, durationMs } = value;
  const json = [
    '{"workspaceId":"',
    workspaceId,
    '","deliveryId":"',
    deliveryId,
    '","endpointId":"',
    endpointId,
    '","eventId":',
    asciiJson(value.eventId),
    ',"eventType":',
    asciiJson(value.eventType),
    ',"status":"',
    value.status,
    `","attempts":${attempts},"httpStatus":${httpStatus},"failureReason":`,
    asciiJson(value.failureReason),
    `,"durationMs":${durationMs},"at":"`,
    at,
    '"}',
  ].join('');
  return [
    sized(endpointId),
    sized(constant.frame + json),
    constant.headers,
    sized(id),
    SOURCE,
    sized(sourceOf(workspaceId)),
    TIME,
    sized(at),
    TRACEPARENT,
    sized(traceparentOf(traceId, spanId)),
  ].join('');
}

/** Formats times, and keeps the last text: many outcomes in a row have the same time. */
function createTimes() {
  let last = Number.NaN;
  let text = '';
  return (at: Date): string => {
    const time = at.getTime();
    if (time !== last) text = at.toISOString();
    last = time;
    return text;
  };
}
