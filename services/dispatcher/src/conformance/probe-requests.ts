import type { KeyObject } from 'node:crypto';
import type { ConformanceCheck, Probe } from '@postrider/shared/domain/conformance-check';
import type { PlainHeaders } from '@postrider/shared/domain/endpoint-options';
import { TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import { signatures } from '@postrider/shared/domain/signing';
import type { TestEventPayload } from '@postrider/shared/events/event-payloads';
import { webhookHeaders } from '../engine/sending/webhook-headers.js';
import type { PostRequest } from '../ports/poster.js';

/** Age of a stale request, in seconds: receivers refuse requests that are more than five minutes old. */
const STALE_S = 10 * 60;
/** Pause between the two parts of a split body, in milliseconds: long enough for two packets. */
const SPLIT_MS = 300;
/** Contains characters that JSON writers write differently or not at all. */
const MESSAGE = 'Postrider checks how this endpoint answers – nothing has happened in the workspace.';

interface ProbeParts {
  readonly check: Pick<ConformanceCheck, 'workspaceId' | 'endpointId' | 'traceId'>;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly keys: readonly KeyObject[];
  readonly now: Date;
  readonly userAgent: string;
  /** The endpoint's own headers. None has the name of a header that every delivery has. */
  readonly ownHeaders: PlainHeaders | null;
}

type Content = Pick<PostRequest, 'headers' | 'body' | 'splitMs'>;

/** The requests of a probe, in order: two for `duplicate`, one for the others. */
export function probeRequests(probe: Probe, parts: ProbeParts): readonly Content[] {
  const { check, deliveryId: id, keys, now, userAgent, ownHeaders } = parts;
  const age = probe === 'stale' ? STALE_S : 0;
  const timestamp = Math.floor(now.getTime() / 1_000) - age;
  const body = probeBody(parts);
  const genuine = signatures({ id, timestamp, body }, keys);
  const wrong = signatures({ id, timestamp, body: `${body} ` }, keys);
  const signed = (signature: string): Content['headers'] => ({
    ...ownHeaders,
    ...webhookHeaders({ id, timestamp, signature, traceId: check.traceId, userAgent }),
  });
  switch (probe) {
    case 'valid':
    case 'stale':
      return [{ headers: signed(genuine), body }];
    case 'duplicate':
      return [
        { headers: signed(genuine), body },
        { headers: signed(genuine), body },
      ];
    case 'two_signatures':
      return [{ headers: signed(`${wrong} ${genuine}`), body }];
    case 'forged':
      return [{ headers: signed(wrong), body }];
    case 'missing_headers': {
      const { 'webhook-signature': _, ...unsigned } = signed(genuine);
      return [{ headers: unsigned, body }];
    }
    case 'slow_body':
      return [{ headers: signed(genuine), body, splitMs: SPLIT_MS }];
  }
}

/** A test event whose bytes no JSON writer produces: a receiver that parses it and writes it again cannot verify it. */
function probeBody({
  check,
  deliveryId,
  eventId,
  now,
}: Pick<ProbeParts, 'check' | 'deliveryId' | 'eventId' | 'now'>): string {
  const { workspaceId, endpointId } = check;
  const payload: TestEventPayload = {
    eventId,
    occurredAt: now.toISOString(),
    workspaceId,
    endpointId,
    message: MESSAGE,
  };
  const text = JSON.stringify({ deliveryId, eventType: TEST_EVENT_TYPE, payload }, null, 1);
  return text.replace('Postrider', '\\u0050ostrider').replaceAll('": ', '" :  ');
}
