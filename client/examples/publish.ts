import { createClient } from '@postrider/client';
import type { CustomEvents } from './custom-events.js';

const postrider = createClient<CustomEvents>({
  baseUrl: process.env.POSTRIDER_URL ?? 'http://127.0.0.1:8080',
  workspace: 'acme',
  token: process.env.POSTRIDER_TOKEN ?? '',
});

/** The compiler checks the data. The key makes a repetition publish nothing twice. */
export async function invoicePaid(invoiceId: string, amount: number): Promise<string> {
  const data = { invoiceId, customer: { id: 'cus_81' }, amount, currency: 'EUR' };
  const { eventId } = await postrider.publish(
    { type: 'invoice.paid', data },
    { idempotencyKey: `${invoiceId}-paid` },
  );
  return eventId;
}
