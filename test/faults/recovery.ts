import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './fault.js';
import type { World } from './world/world.js';

const LOOK_EVERY_MS = 500;
/** Work that is younger than this is under way, not behind. */
const UNDER_WAY_MS = 2_000;
const SAY_EVERY_MS = 10_000;
const PATIENCE_MS = 150_000;

/** @returns when nothing was overdue any more, neither rows nor events; null when that did not happen in time */
export async function untilRecovered(world: World, fault: Fault): Promise<number | null> {
  const overloaded = world.endpoints
    .filter(({ path }) => fault.overloaded?.includes(path))
    .map(({ id }) => id);
  let sayAgainAt = Date.now() + SAY_EVERY_MS;
  return until(fault, async () => {
    const before = Date.now() - UNDER_WAY_MS;
    const overdue = await world.db
      .collection('deliveries')
      .countDocuments({ dueAt: { $lt: new Date(before) }, endpointId: { $nin: overloaded } });
    const fannedOut = await isFannedOut(world, before);
    if (Date.now() > sayAgainAt) {
      world.say(
        `${overdue} deliveries are overdue${fannedOut ? '' : ', and the last events are not fanned out'}`,
      );
      sayAgainAt += SAY_EVERY_MS;
    }
    return overdue === 0 && fannedOut;
  });
}

/** The last event that was accepted before has its deliveries. */
async function isFannedOut(world: World, before: number): Promise<boolean> {
  const event = world.load.accepted.findLast(({ answeredAt }) => answeredAt < before);
  if (event === undefined) return true;
  const row = await world.db
    .collection('deliveries')
    .findOne({ createdAt: { $gte: new Date(event.sentAt - 1_000) }, 'payload.tokenId': event.tokenId });
  return row !== null;
}

/** Waits until every delivery has come to an end and everything promised is published. */
export async function untilQuiet(world: World, fault: Fault): Promise<void> {
  const quiet = await until(fault, async () => {
    const open = await world.db.collection('deliveries').countDocuments({ dueAt: { $exists: true } });
    const promised = await world.db.collection('outbox').countDocuments();
    return open === 0 && promised === 0 && (await isFannedOut(world, Date.now() + 1));
  });
  if (quiet === null) world.say('it did not become quiet in time');
}

async function until(
  { patienceMs = PATIENCE_MS }: Fault,
  holds: () => Promise<boolean>,
): Promise<number | null> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const at = Date.now();
    if (await holds().catch(() => false)) return at;
    await wait(LOOK_EVERY_MS);
  }
  return null;
}
