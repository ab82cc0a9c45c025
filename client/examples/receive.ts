import type { IncomingHttpHeaders } from 'node:http';
import { verify } from '@postrider/client';

/** @throws WebhookVerificationError when the signature is invalid: respond with 400 then */
export function planNow(headers: IncomingHttpHeaders, body: Buffer): string | null {
  const delivery = verify({ secret: process.env.WEBHOOK_SECRET ?? '', headers, body });
  return delivery.eventType === 'billing.plan_changed' ? delivery.payload.plan : null;
}
