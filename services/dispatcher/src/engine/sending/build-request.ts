import type { KeyObject } from 'node:crypto';
import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { HIDDEN_VALUE, type PlainHeaders } from '@postrider/shared/domain/endpoint-options';
import { signatures } from '@postrider/shared/domain/signing';
import { RESERVED_NAME } from '@postrider/shared/domain/unstorable';
import { webhookHeaders } from './webhook-headers.js';

export interface BuiltRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The headers without the values of the endpoint's own ones. */
  readonly recordedHeaders: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyBytes: number;
}

interface RequestParts {
  readonly delivery: Pick<DeliverySummary, 'id' | 'eventType' | 'traceId'>;
  readonly payloadText: string;
  readonly keys: readonly KeyObject[];
  readonly now: Date;
  readonly userAgent: string;
  /** The endpoint's own headers. None has the name of a header that is set here. */
  readonly ownHeaders: PlainHeaders | null;
}

/** Builds the request of one attempt in the Standard Webhooks format. The signed bytes are the bytes sent. */
export function buildRequest({
  delivery,
  payloadText,
  keys,
  now,
  userAgent,
  ownHeaders,
}: RequestParts): BuiltRequest {
  const { id, eventType, traceId } = delivery;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const body = `{"deliveryId":${JSON.stringify(id)},"eventType":${JSON.stringify(eventType)},"payload":${payloadText}}`;
  const signature = signatures({ id, timestamp, body }, keys);
  const headers = webhookHeaders({ id, timestamp, signature, traceId, userAgent });
  const bodyBytes = Buffer.byteLength(body);
  if (ownHeaders === null) return { body, bodyBytes, headers, recordedHeaders: headers };
  // An endpoint that an older version stored may have a header whose name cannot be stored in an attempt.
  const names = Object.keys(ownHeaders).filter((name) => name !== RESERVED_NAME);
  const hidden = Object.fromEntries(names.map((name) => [name, HIDDEN_VALUE]));
  const recordedHeaders = { ...hidden, ...headers };
  return { body, bodyBytes, headers: { ...ownHeaders, ...headers }, recordedHeaders };
}
