import type { Random } from '../random.js';
import type { World } from '../world/world.js';
import { REFUSING } from './population.js';

type Needs = Pick<World, 'client' | 'db' | 'sends'>;

interface Made {
  readonly deliveryId: string;
}

/** Sends a test event, and logs it if it was accepted. @returns whether it was */
export async function sendTest({ client, sends }: Needs, endpointId: string): Promise<boolean> {
  const sentAt = Date.now();
  const made = await client.call<Made>('POST', `/webhooks/${endpointId}/test-event`);
  if (made === null) return false;
  sends.push({ kind: 'test', deliveryId: made.deliveryId, sourceId: null, sentAt, answeredAt: Date.now() });
  return true;
}

export interface Replays {
  readonly endpointId: string;
  readonly most: number;
  /** Which of those that it refused. */
  readonly of: 'latest' | 'oldest';
}

/** Replays what an endpoint refused, and logs what was accepted. @returns how many were */
export async function replaySome(
  { client, db, sends }: Needs,
  { endpointId, most, of }: Replays,
): Promise<number> {
  const refused = await db
    .collection<{ _id: string }>('deliveries')
    .find({ endpointId, status: { $in: ['failed_permanent', 'dead_lettered'] } })
    .sort({ _id: of === 'latest' ? -1 : 1 })
    .limit(most)
    .toArray();
  let accepted = 0;
  for (const { _id: sourceId } of refused) {
    const sentAt = Date.now();
    const made = await client.call<Made>('POST', `/webhooks/deliveries/${sourceId}/replay`);
    if (made === null) continue;
    sends.push({ kind: 'replay', deliveryId: made.deliveryId, sourceId, sentAt, answeredAt: Date.now() });
    accepted += 1;
  }
  return accepted;
}

/** What people do all the time: a test of some endpoint, or another try of what was refused for good. */
export async function sendAside(world: World, random: Random): Promise<void> {
  const { id } = random.pick(world.endpoints);
  if (random.next() < 0.5) {
    await sendTest(world, id);
    return;
  }
  const refusing = world.endpoints.filter(({ path }) => path === REFUSING);
  for (const { id: endpointId } of refusing) await replaySome(world, { endpointId, most: 1, of: 'latest' });
}
