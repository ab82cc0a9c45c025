import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.js';
import type { AcceptedEvent } from './oracle/evidence.js';
import { IN_PROGRESS_MS } from './world/overdue.js';
import type { World } from './world/world.js';

const POLL_EVERY_MS = 500;
const LOG_EVERY_MS = 10_000;
const PATIENCE_MS = 150_000;
/** Consecutive polls that must find a recovered system: it may recover only briefly. */
const POLLS = 2;
/** As in the last check. Other reads may be newer than it: then work that they no longer find would be in progress in it. */
const AS_CHECKED = { readConcern: { level: 'majority' } } as const;

/**
 * Waits for recovery: an event from after the fault has all its deliveries, every event is fanned out, and nothing is
 * overdue.
 *
 * @returns when the first of two consecutive polls found that; null if none did in time
 */
export async function untilRecovered(world: World, fault: Fault, ended: number): Promise<number | null> {
  const overloaded = world.endpoints
    .filter(({ path }) => fault.overloaded?.includes(path))
    .map(({ id }) => id);
  const fanOut = watchFanOut(world, fault);
  let logAt = Date.now() + LOG_EVERY_MS;
  return pollUntil(fault, POLLS, async () => {
    const before = Date.now() - IN_PROGRESS_MS;
    const late = { dueAt: { $lt: new Date(before) }, endpointId: { $nin: overloaded } };
    const overdue = await world.db.collection('deliveries').countDocuments(late);
    const missing = await fanOut.countMissing(before);
    const isWorking = await fanOut.hasCompleted(ended);
    if (Date.now() > logAt) {
      const hint = isWorking ? '' : ', no event from after the fault has all its deliveries';
      world.log(`${overdue} deliveries are overdue, ${missing} events are not fanned out${hint}`);
      logAt += LOG_EVERY_MS;
    }
    return overdue === 0 && missing === 0 && isWorking;
  });
}

/** Waits until every delivery is finished and every outbox record published. */
export async function untilIdle(world: World, fault: Fault): Promise<void> {
  const fanOut = watchFanOut(world, fault);
  const idle = await pollUntil(fault, 1, async () => {
    // In the order in which work moves: an event that is fanned out between two counts is counted as unfinished deliveries.
    const unpublished = await world.db.collection('outbox').countDocuments({}, AS_CHECKED);
    const missing = await fanOut.countMissing(Date.now() + 1);
    const isDue = { dueAt: { $exists: true } };
    const unfinished = await world.db.collection('deliveries').countDocuments(isDue, AS_CHECKED);
    return unpublished + missing + unfinished === 0;
  });
  if (idle === null) world.log('some work was not finished in time');
}

function watchFanOut(
  { db, load, otherEvents, endpoints }: World,
  { retentionMs = Number.POSITIVE_INFINITY }: Fault,
) {
  const foreignIds = () => endpoints.filter(({ workspace }) => workspace !== undefined).map(({ id }) => id);
  const deliveries = db.collection('deliveries');
  const fannedOut = new Set<string>();
  let isComplete = false;
  return {
    /** Counts events accepted before a moment that have no delivery. */
    async countMissing(before: number): Promise<number> {
      const kept = Date.now() - retentionMs;
      const tokens = [...load.accepted, ...otherEvents]
        .filter(({ answeredAt, sentAt }) => answeredAt < before && sentAt >= kept)
        .map(({ tokenId }) => tokenId)
        .filter((tokenId) => !fannedOut.has(tokenId));
      if (tokens.length === 0) return 0;
      const among = { 'payload.tokenId': { $in: tokens } };
      const found = await deliveries.distinct('payload.tokenId', among, AS_CHECKED);
      for (const tokenId of found) fannedOut.add(tokenId);
      return tokens.length - found.length;
    },
    /** Returns whether the first event sent after a moment has all its deliveries. */
    async hasCompleted(after: number): Promise<boolean> {
      const event = load.accepted.find(({ sentAt }) => sentAt > after);
      if (event === undefined || isComplete) return isComplete;
      const expected = await db
        .collection<{ _id: string }>('endpoints')
        .distinct('_id', subscribedSince(event));
      const reached = await deliveries.distinct('endpointId', { 'payload.tokenId': event.tokenId });
      const known = new Set([...reached, ...foreignIds()]);
      isComplete = expected.every((endpointId) => known.has(endpointId));
      return isComplete;
    },
  };
}

/** Endpoints that have not changed since before the event. */
function subscribedSince({ sentAt }: AcceptedEvent) {
  const since = { $lt: new Date(sentAt) };
  return {
    enabled: true,
    deletedAt: null,
    enabledSince: since,
    subscriptions: { $elemMatch: { eventType: 'api_token.created', since } },
  };
}

/** @returns the time of the first of this many polls in a row that were true */
async function pollUntil(
  { patienceMs = PATIENCE_MS }: Fault,
  polls: number,
  isTrue: () => Promise<boolean>,
): Promise<number | null> {
  const deadline = Date.now() + patienceMs;
  let since = 0;
  let inARow = 0;
  while (Date.now() < deadline) {
    const at = Date.now();
    if (await isTrue().catch(() => false)) inARow += 1;
    else inARow = 0;
    if (inARow === 1) since = at;
    if (inARow === polls) return since;
    await sleep(POLL_EVERY_MS);
  }
  return null;
}
