import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import { STEADY } from '../load/population.js';
import { countReassignments } from '../world/disruptions.js';
import { overdue } from '../world/overdue.js';
import { repeatUntilEnded } from '../world/repeat-until-ended.js';
import type { World } from '../world/world.js';

const POLL_EVERY_MS = 50;
/** Longest time in which what has waited for the partitions is sent. Messages of other workspaces may come before it in its partitions. */
const LONGEST_CATCH_UP_MS = 15_000;
/** A younger delivery is in progress. */
const IN_PROGRESS_MS = 500;
const UNDISTURBED_MS = 4_000;
/** Maximum time until a change of dispatchers is seen. */
const SEEN_WITHIN_MS = 500;
const WITHIN_MS = 60_000;

/** When a change of dispatchers began that is not over yet; null if there is none. */
const unsettledSince = new WeakMap<World, number | null>();

/** Returns whether nothing waits any longer at the endpoints of the load's workspace. */
async function hasCaughtUp({ db, endpoints }: World): Promise<boolean> {
  const ids = endpoints.filter(({ path }) => STEADY.includes(path)).map(({ id }) => id);
  const late = { endpointId: { $in: ids }, ...overdue(IN_PROGRESS_MS) };
  return (await db.collection('deliveries').findOne(late)) === null;
}

/** Notes from the end or the start of a dispatcher on that it is not settled, until each has partitions and what waited is sent. */
export function watchChanges(world: World): () => Promise<void> {
  let seen = '';
  let ownedSince: number | null = null;
  return repeatUntilEnded(POLL_EVERY_MS, async () => {
    const dispatchers = world.services.running('dispatcher');
    // The exit of a dispatcher that was stopped moves no partition.
    const processes = dispatchers.map((one) => `${one.pid()} ${one.exits().length}`);
    const changes = `${countReassignments(world.services.disruptions())}/${processes.join()}`;
    const now = Date.now();
    const from = unsettledSince.get(world) ?? (changes === seen ? null : now - POLL_EVERY_MS);
    seen = changes;
    unsettledSince.set(world, from);
    if (from === null) return;
    const areOwned = dispatchers.every((one) => (one.partitionsSince() ?? 0) > from);
    ownedSince = areOwned && dispatchers.length > 0 ? (ownedSince ?? now) : null;
    if (ownedSince === null) return;
    if (now - ownedSince < LONGEST_CATCH_UP_MS && !(await hasCaughtUp(world))) return;
    world.log(`${ownedSince - from} ms until partitions had owners, and ${now - ownedSince} ms to catch up`);
    unsettledSince.set(world, null);
    ownedSince = null;
  });
}

/** Waits until all dispatchers have partitions and have caught up, and then for some seconds. */
export const untilSettled: Step = async (world) => {
  await sleep(SEEN_WITHIN_MS);
  await poll(async () => unsettledSince.get(world) === null || undefined, {
    everyMs: POLL_EVERY_MS,
    timeoutMs: WITHIN_MS,
    what: 'the end of a change of dispatchers',
  });
  await sleep(UNDISTURBED_MS);
};
