import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.js';

const BATCH = 10;

interface Published {
  readonly eventIds: readonly string[];
  /** How many events a second were published. */
  readonly perSecond: number;
}

/** Publishes events in batches at a steady rate. A batch that is late does not delay the next one. */
export async function publishSteadily(
  client: Client,
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
): Promise<Published> {
  const start = Date.now();
  const batches: Promise<readonly string[]>[] = [];
  for (let sent = 0; sent < count; sent += BATCH) {
    await sleep(Math.max(start + (sent / perSecond) * 1_000 - Date.now(), 0));
    batches.push(publishBatch(client));
  }
  const eventIds = (await Promise.all(batches)).flat();
  return { eventIds, perSecond: Math.round(eventIds.length / ((Date.now() - start) / 1_000)) };
}

async function publishBatch(client: Client): Promise<readonly string[]> {
  const data = { invoiceId: 'in_1', customer: { id: 'cus_1' }, amount: 1, currency: 'EUR' };
  const body = { events: Array.from({ length: BATCH }, () => ({ type: 'invoice.paid', data })) };
  const { events } = await client.call<{ events: readonly { eventId: string }[] }>(
    'POST',
    '/events/batch',
    body,
  );
  return events.map(({ eventId }) => eventId);
}
