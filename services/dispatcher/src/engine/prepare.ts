import type { KeyObject } from 'node:crypto';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { signatures } from '@postrider/shared/domain/signing';

export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Preparation {
  readonly delivery: Delivery;
  readonly keys: readonly KeyObject[];
  readonly now: Date;
  readonly userAgent: string;
}

/** Builds the request of one attempt in the Standard Webhooks format. The signed bytes are the bytes sent. */
export function prepare({ delivery, keys, now, userAgent }: Preparation): Prepared {
  const { id, eventType, payload, traceId } = delivery;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const body = JSON.stringify({ deliveryId: id, eventType, payload });
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id, timestamp, body }, keys),
      'x-trace-id': traceId,
    },
  };
}
