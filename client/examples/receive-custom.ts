import type { IncomingHttpHeaders } from 'node:http';
import { verify } from '@postrider/client';
import type { CustomEvents } from './custom-events.js';

/** @throws WebhookVerificationError when the signature is invalid */
export function amountPaid(headers: IncomingHttpHeaders, body: Buffer): number | null {
  const delivery = verify<CustomEvents>({ secret: process.env.WEBHOOK_SECRET ?? '', headers, body });
  return delivery.eventType === 'invoice.paid' ? delivery.payload.amount : null;
}
