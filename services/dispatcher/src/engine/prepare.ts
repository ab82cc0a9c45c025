import type { KeyObject } from 'node:crypto';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { HIDDEN_VALUE, type PlainHeaders } from '@postrider/shared/domain/endpoint-options';
import { signatures } from '@postrider/shared/domain/signing';
import { RESERVED_NAME } from '@postrider/shared/domain/unstorable';
import { payloadText } from './payload-text.js';

export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  /** The same without the values of the endpoint's own headers. */
  readonly recordedHeaders: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Preparation {
  readonly delivery: Delivery;
  readonly keys: readonly KeyObject[];
  readonly now: Date;
  readonly userAgent: string;
  /** The endpoint's own headers. None of them has the name of another one. */
  readonly ownHeaders: PlainHeaders | null;
}

/** Builds the request of one attempt in the Standard Webhooks format. The signed bytes are the bytes sent. */
export function prepare({ delivery, keys, now, userAgent, ownHeaders }: Preparation): Prepared {
  const { id, eventType, payload, traceId } = delivery;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const body = `{"deliveryId":${JSON.stringify(id)},"eventType":${JSON.stringify(eventType)},"payload":${payloadText(payload)}}`;
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures({ id, timestamp, body }, keys),
    'x-trace-id': traceId,
  };
  if (ownHeaders === null) return { body, headers, recordedHeaders: headers };
  // Endpoints that were stored by an older version may have a header with a name that cannot be stored in an attempt.
  const names = Object.keys(ownHeaders).filter((name) => name !== RESERVED_NAME);
  const hidden = Object.fromEntries(names.map((name) => [name, HIDDEN_VALUE]));
  return { body, headers: { ...ownHeaders, ...headers }, recordedHeaders: { ...hidden, ...headers } };
}
