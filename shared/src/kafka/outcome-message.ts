import type { DeliveryOutcome, OutcomeKind } from '../domain/delivery-outcome.js';
import type { OutgoingMessage } from '../ports/queue.js';
import { OUTCOMES_TOPIC } from '../ports/topics.js';
import { newSpanId, traceparentOf } from '../runtime/trace.js';
import { frame } from './wire-format.js';

const SPEC_VERSION = Buffer.from('1.0');
const CONTENT_TYPE = Buffer.from('application/json');

/**
 * The message of an outcome, with CloudEvents 1.0 binary headers. The header `ce_source` names the workspace, so that a reader
 * can skip those of others without decoding them. The value is not checked against its schema: its type is.
 */
export function outcomeMessage(
  outcome: DeliveryOutcome,
  schemaIds: Readonly<Record<OutcomeKind, number>>,
): OutgoingMessage {
  const { kind, id, traceId, value } = outcome;
  const at = outcome.at.toISOString();
  return {
    topic: OUTCOMES_TOPIC,
    key: value.endpointId,
    value: frame(schemaIds[kind], JSON.stringify({ ...value, at })),
    headers: {
      ce_specversion: SPEC_VERSION,
      ce_id: id,
      ce_type: kind,
      ce_source: sourceOf(value.workspaceId),
      ce_time: at,
      'content-type': CONTENT_TYPE,
      traceparent: traceparentOf(traceId, newSpanId()),
    },
  };
}

/** The value of `ce_source` for a workspace. */
export function sourceOf(workspaceId: string): string {
  return `/workspaces/${workspaceId}`;
}
