import type { AcceptedSend } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { World } from '../world/world.js';
import { DOOMED } from './population.js';

/** Makes a call that creates a delivery, and records it if it was accepted. @returns whether it was */
async function send({ client, sends }: World, kind: AcceptedSend['kind'], path: string): Promise<boolean> {
  const sentAt = Date.now();
  const created = await client.call<{ deliveryId: string }>('POST', path);
  if (created !== null) sends.push({ kind, deliveryId: created.deliveryId, sentAt, answeredAt: Date.now() });
  return created !== null;
}

export const sendTest = (world: World, endpointId: string): Promise<boolean> =>
  send(world, 'test', `/webhooks/${endpointId}/test-event`);

export interface Replays {
  readonly endpointId: string;
  readonly most: number;
  readonly from: 'latest' | 'oldest';
}

/** Replays deliveries of an endpoint that failed for good. @returns how many replays were accepted */
export async function replay(world: World, { endpointId, most, from }: Replays): Promise<number> {
  const failed = await world.db
    .collection<{ _id: string }>('deliveries')
    .find({ endpointId, status: { $in: ['failed_permanent', 'dead_lettered'] } })
    .sort({ _id: from === 'latest' ? -1 : 1 })
    .limit(most)
    .toArray();
  let accepted = 0;
  for (const { _id } of failed)
    accepted += Number(await send(world, 'replay', `/webhooks/deliveries/${_id}/replay`));
  return accepted;
}

/** Sends a test to some endpoint, or replays deliveries that failed for good. */
export async function sendTestOrReplay(world: World, random: Random): Promise<void> {
  const { id } = random.pick(world.endpoints);
  if (random.next() < 0.5) {
    await sendTest(world, id);
    return;
  }
  const doomed = world.endpoints.find(({ path }) => path === DOOMED);
  if (doomed !== undefined) await replay(world, { endpointId: doomed.id, most: 1, from: 'latest' });
}
